#include "prove/prove.h"

#include <algorithm>

#include "base/strings.h"
#include "prove/engines.h"
#include "prove/repair.h"
#include "prove/surroundings.h"

namespace muster {
namespace prove {
namespace {

Answer decide(const Instance& instance, Property property, const ProveLimits& limits) {
  if (property == Property::Placeable) return decide_placeable(instance, limits.states);
  if (property == Property::QuotaConsistent) return decide_quota(instance, limits.states);
  if (std::optional<Answer> answer = closed_form(instance, property)) return *std::move(answer);
  if (std::optional<Answer> answer = bound(instance, property)) return *std::move(answer);
  if (std::optional<Answer> answer = adversary(instance, property)) return *std::move(answer);
  std::mt19937_64 dice(limits.seed);
  const std::int64_t few = std::min<std::int64_t>(limits.tries, 8);
  if (std::optional<Answer> answer = random_search(instance, property, dice, few)) return *std::move(answer);
  Answer answer = explore(instance, property, limits.states);
  if (answer.verdict != Verdict::Unknown) return answer;
  if (std::optional<Answer> found = random_search(instance, property, dice, limits.tries - few)) return *std::move(found);
  return answer;
}

const std::string& name_of(const World& world, std::size_t gang) { return world.gangs[gang].name.value; }

std::string held_by(const World& world, const ProofCounterexample& found, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(found.holds.size(), most); ++i) {
    const ProofHold& hold = found.holds[i];
    const bool last = i + 1 == found.holds.size();
    out += (i == 0 ? "" : last ? " and " : ", ") + std::string("`") + name_of(world, hold.gang) + "` holds " +
           (hold.placed == hold.needs ? "all of its " + std::to_string(hold.needs) : std::to_string(hold.placed) + " of " + std::to_string(hold.needs)) + " pods";
  }
  if (found.holds.size() > most) out += " and " + std::to_string(found.holds.size() - most) + " more gangs hold parts of theirs";
  return out;
}

std::string reason_of(const World& world, Property property, const ProofCounterexample& found) {
  std::string out = held_by(world, found, 4);
  switch (property) {
    case Property::AllOrNothing: return out + "; `" + name_of(world, found.holds.front().gang) + "` waits with the part it holds, and no pod of it fits";
    case Property::NoDeadlock: return out + "; none can go on and none gives back what it holds";
    default: return out + "; what is held short is given back after a timeout and can be taken again just so";
  }
}

/// Turned back into unknown: `reason` says what stands against it.
void doubt(ProofResult& result, std::string reason) {
  result.verdict = Verdict::Unknown;
  result.engine.reset();
  result.certificate = {};
  result.counterexample.reset();
  result.reason = std::move(reason);
}

/// A proof for commits stands where several schedulers race only if it holds for every pod by itself, too.
void stand_up_to_races(const Instance& instance, const ProveLimits& limits, ProofResult& result) {
  if (result.verdict != Verdict::Holds || result.property == Property::Placeable || result.property == Property::QuotaConsistent) return;
  const std::vector<std::string> schedulers = schedulers_of(instance);
  const bool commits = std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return gang.coupled && gang.guaranteed > 1; });
  if (schedulers.size() < 2 || !commits) return;
  Answer raced = decide(without_commits(instance), result.property, limits);
  result.states += raced.states;
  if (raced.verdict == Verdict::Holds) {
    result.engine = raced.engine;
    result.certificate = std::move(raced.certificate);
    result.reason = std::move(raced.reason);
    return;
  }
  doubt(result, "it holds while one scheduler places at a time; " + join(schedulers, " and ") +
                    " bind pods on the same nodes, and where they race a part of a gang can be refused");
}

ProofResult judge(const Instance& instance, Property property, const ProveLimits& limits) {
  Answer answer = decide(instance, property, limits);
  ProofResult result;
  result.pools = instance.pools;
  for (const GangSpec& gang : instance.gangs) result.gangs.push_back(gang.gang);
  result.property = property;
  result.budget = limits.states;
  result.verdict = answer.verdict;
  if (answer.verdict != Verdict::Unknown) result.engine = answer.engine;
  result.reason = std::move(answer.reason);
  result.states = answer.states;
  result.budget_exhausted = answer.budget_exhausted;
  result.certificate = std::move(answer.certificate);
  if (answer.placement) {
    shrink(*answer.placement, property);
    answer.counterexample = counterexample_of(*answer.placement, property);
  }
  if (answer.counterexample) {
    if (const std::string wrong = replay(*instance.world, property, *answer.counterexample, limits.faults); !wrong.empty()) {
      // A mistake of ours must not become one of the user's.
      doubt(result, "a counterexample was found that did not replay (" + wrong + "); please report it");
      return result;
    }
    if (result.reason.empty()) result.reason = reason_of(*instance.world, property, *answer.counterexample);
    result.counterexample = std::move(answer.counterexample);
  }
  if (std::optional<std::string> why = doubt_by_queue(instance, result)) doubt(result, *std::move(why));
  stand_up_to_races(instance, limits, result);
  if (result.counterexample) result.counterexample->repairs = repairs_of(instance, result, limits);
  return result;
}

}  // namespace
}  // namespace prove

std::vector<ProofResult> prove_world(const World& world, const std::vector<Property>& properties, const ProveLimits& limits) {
  std::vector<ProofResult> out;
  for (const prove::Instance& instance : prove::instances_of(world, limits.faults)) {
    for (const Property property : properties) out.push_back(prove::judge(instance, property, limits));
  }
  return out;
}

std::string node_name(const World& world, std::size_t pool, std::int64_t node) {
  return world.pools[pool].name.value + "/" + std::to_string(node);
}

}  // namespace muster
