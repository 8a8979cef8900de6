#include "prove/prove.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "prove/engines.h"
#include "prove/repair.h"
#include "prove/surroundings.h"

namespace muster {
namespace prove {
namespace {

/// Steps that an engine may take before it has to give up: the same on every machine.
std::int64_t work_of(const ProveLimits& limits) {
  return std::clamp<std::int64_t>(limits.states, 2'000, 4'000'000) * 1000;
}

/// Makes a counterexample of what was found, as small as it replays; else what is wrong with it.
std::string make_good(const Instance& instance, Property property, const ProveLimits& limits, Answer& answer) {
  if (answer.verdict != Verdict::Counterexample) return "";
  instance.work_left = work_of(limits);
  if (!answer.placement) return replay(*instance.world, property, *answer.counterexample, limits.faults);
  Placement small = *answer.placement;
  shrink(small, property);
  answer.counterexample = counterexample_of(small, property);
  if (replay(*instance.world, property, *answer.counterexample, limits.faults).empty()) return "";
  answer.counterexample = counterexample_of(*answer.placement, property);
  return replay(*instance.world, property, *answer.counterexample, limits.faults);
}

/// One engine after the other until one has proved it, or has found steps that replay.
Answer decide(const Instance& instance, Property property, const ProveLimits& limits) {
  std::mt19937_64 dice(limits.seed);
  const std::int64_t few = std::min<std::int64_t>(limits.tries, 8);
  const auto ask = [&](int engine) -> std::optional<Answer> {
    switch (engine) {
      case 0:
        return property == Property::Placeable ? std::optional(decide_placeable(instance, limits.states))
                                               : std::nullopt;
      case 1:
        return property == Property::QuotaConsistent ? std::optional(decide_quota(instance, limits.states))
                                                     : std::nullopt;
      case 2: return closed_form(instance, property);
      case 3: return bound(instance, property);
      case 4: return adversary(instance, property);
      case 5: return random_search(instance, property, dice, few);
      case 6: return explore(instance, property, limits.states);
      default: return random_search(instance, property, dice, limits.tries - few);
    }
  };
  const bool searched = property != Property::Placeable && property != Property::QuotaConsistent;
  Answer open;
  std::string wrong;
  for (int engine = searched ? 2 : 0; engine < (searched ? 8 : 2); ++engine) {
    instance.work_left = work_of(limits);
    std::optional<Answer> answer = ask(engine);
    if (!answer) continue;
    open.states += answer->states;
    answer->states = open.states;
    if (answer->verdict == Verdict::Unknown) {
      open = *std::move(answer);
      continue;
    }
    // A mistake of ours must not become one of the user's.
    const std::string why = make_good(instance, property, limits, *answer);
    if (why.empty()) return *std::move(answer);
    wrong = why;
  }
  if (!wrong.empty()) open.reason = "steps were found that did not replay (" + wrong + "), and no others";
  return open;
}

const std::string& name_of(const World& world, std::size_t gang) { return world.gangs[gang].name.value; }

std::string held_by(const World& world, const ProofCounterexample& found, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(found.holds.size(), most); ++i) {
    const ProofHold& hold = found.holds[i];
    const bool last = i + 1 == found.holds.size();
    out += (i == 0 ? ""
            : last ? " and "
                   : ", ") +
           std::string("`") + name_of(world, hold.gang) + "` holds " +
           (hold.placed == hold.needs ? "all of its " + std::to_string(hold.needs)
                                      : std::to_string(hold.placed) + " of " + std::to_string(hold.needs)) +
           " pods";
  }
  if (found.holds.size() > most)
    out += " and " + std::to_string(found.holds.size() - most) + " more gangs hold parts of theirs";
  return out;
}

std::string reason_of(const World& world, Property property, const ProofCounterexample& found) {
  std::string out = held_by(world, found, 4);
  switch (property) {
    case Property::AllOrNothing:
      return out + "; `" + name_of(world, found.holds.front().gang) +
             "` waits with the part it holds, and no pod of it fits";
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

/// CPUs, memory, disk space and limits of queues and namespaces that the world does not state can only keep more pods
/// out; what else it does not state may lead them elsewhere.
bool is_amount(const std::string& word) {
  constexpr std::array<std::string_view, 9> kAmounts{"CPUs",
                                                     "memory",
                                                     "`ephemeral-storage`",
                                                     "room in its queue",
                                                     "the CPUs of queue",
                                                     "the memory of queue",
                                                     "room in ResourceQuota",
                                                     "what LimitRange",
                                                     "`minResources`"};
  return std::ranges::any_of(kAmounts, [&](std::string_view amount) { return word.starts_with(amount); });
}

std::string words_of(const WorldGang& gang) { return "`" + gang.name.value + "` asks for " + join(gang.beyond, ", "); }

/// What gangs ask for beyond what the world states stands against proofs, and against some counterexamples.
void count_what_is_beyond(const Instance& instance, ProofResult& result) {
  const World& world = *instance.world;
  const WorldGang* first = nullptr;
  for (const std::size_t gang : result.gangs) {
    if (first == nullptr && !world.gangs[gang].beyond.empty()) first = &world.gangs[gang];
  }
  if (first == nullptr || result.verdict == Verdict::Unknown) return;
  const bool of_capacity = result.property == Property::Placeable || result.property == Property::QuotaConsistent;
  if (result.verdict == Verdict::Holds) {
    const ProofCertificate::Kind kind = result.certificate.kind;
    if (kind == ProofCertificate::Kind::NothingToDo || (kind == ProofCertificate::Kind::WholeCommits && !of_capacity))
      return;
    return doubt(result, "by what the world states it holds, but " + words_of(*first) + ", of which it says nothing");
  }
  if (of_capacity) return;
  for (const ProofHold& hold : result.counterexample->holds) {
    const WorldGang& gang = world.gangs[hold.gang];
    if (gang.beyond.empty()) continue;
    if (!std::ranges::all_of(gang.beyond, is_amount))
      return doubt(result,
                   "by what the world states it is broken, but " + words_of(gang) + ", of which it says nothing");
    if (result.reason.find("; not counted: ") == std::string::npos) result.reason += "; not counted: " + words_of(gang);
  }
}

/// Gangs that go to the same nodes and are not of the world stand against what follows from how much its own can hold.
void count_who_is_beside(const Instance& instance, ProofResult& result) {
  const std::vector<WorldAbsentee>& besides = instance.world->besides;
  if (besides.empty() || result.verdict != Verdict::Holds || result.property == Property::Placeable) return;
  const ProofCertificate::Kind kind = result.certificate.kind;
  if (kind == ProofCertificate::Kind::NothingToDo || kind == ProofCertificate::Kind::WholeCommits) return;
  doubt(result, "it holds among the gangs of the world, but `" + besides.front().gang +
                    "` goes to the same nodes and was left out (" + besides.front().needs + ")");
}

/// Pods that others than the gangs of the world may take away stand against every proof that a gang stays whole.
void count_who_is_taken_apart(const Instance& instance, ProofResult& result) {
  if (result.verdict != Verdict::Holds ||
      (result.property != Property::AllOrNothing && result.property != Property::NoDeadlock))
    return;
  for (const std::size_t gang : result.gangs) {
    const WorldGang& one = instance.world->gangs[gang];
    if (one.taken_apart.empty() || !one.coupled) continue;
    return doubt(result, "it holds as long as no gang of higher priority comes, but " + one.taken_apart +
                             ", and no policy restarts `" + one.name.value + "` as a whole then");
  }
}

/// Where several schedulers bind pods of commits on the same nodes.
bool is_raced(const Instance& instance) {
  return schedulers_of(instance).size() > 1 &&
         std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return gang.coupled && gang.guaranteed > 1; });
}

/// A proof for commits stands where several schedulers race only if it holds for every pod by itself, too.
void stand_up_to_races(const Instance& instance, const ProveLimits& limits, ProofResult& result) {
  if (result.verdict != Verdict::Holds || result.property == Property::Placeable ||
      result.property == Property::QuotaConsistent)
    return;
  if (!is_raced(instance)) return;
  Answer raced = decide(without_commits(instance), result.property, limits);
  result.states += raced.states;
  if (raced.verdict == Verdict::Holds) {
    result.engine = raced.engine;
    result.certificate = std::move(raced.certificate);
    result.reason = std::move(raced.reason);
    return;
  }
  doubt(result, "it holds while one scheduler places at a time; " + join(schedulers_of(instance), " and ") +
                    " bind pods on the same nodes, and where they race a part of a gang can be refused");
}

/// A proof for pods that wait for each other stands for others, too, where a single one of them could be placed all
/// along: then no state is new.
bool proves_both(const Instance& instance, const ProveLimits& limits, ProofResult& result) {
  const ProofCertificate::Kind kind = result.certificate.kind;
  if (kind == ProofCertificate::Kind::NothingToDo || kind == ProofCertificate::Kind::WholeCommits) return true;
  if (has_serial(instance) || std::ranges::any_of(instance.gangs, &GangSpec::preempts)) return false;
  if (is_raced(instance) || !commits_what_may_work_alone(instance)) return true;
  Answer answer = decide(without_open_commits(instance), result.property, limits);
  result.states += answer.states;
  if (answer.verdict != Verdict::Holds) return false;
  result.engine = answer.engine;
  result.certificate = std::move(answer.certificate);
  result.reason = std::move(answer.reason);
  return true;
}

World where_they_work_alone(World world) {
  for (WorldGang& gang : world.gangs) {
    gang.coupled = gang.coupled && gang.may_work_alone.empty();
    gang.may_work_alone.clear();
  }
  return world;
}

/// Steps that break it whether the pods of those gangs work alone or not.
std::optional<ProofCounterexample> broken_anyhow(const Instance& instance, const ProveLimits& limits,
                                                 ProofResult& result) {
  const World alone = where_they_work_alone(*instance.world);
  const auto breaks = [&](const World& world, const ProofCounterexample& found) {
    return replay(world, result.property, found, limits.faults).empty();
  };
  if (result.counterexample && breaks(alone, *result.counterexample)) return result.counterexample;
  for (const Instance& one : instances_of(alone, limits.faults)) {
    if (one.pools != instance.pools) continue;
    Answer answer = decide(one, result.property, limits);
    result.states += answer.states;
    if (answer.verdict == Verdict::Counterexample && breaks(*instance.world, *answer.counterexample)) {
      result.engine = answer.engine;
      return std::move(answer.counterexample);
    }
  }
  return std::nullopt;
}

/// What nobody says of how the pods of a gang work decides neither for a proof nor against one.
void stand_however_they_work(const Instance& instance, const ProveLimits& limits, ProofResult& result) {
  if (result.property == Property::Placeable || result.property == Property::QuotaConsistent) return;
  const WorldGang* first = nullptr;
  for (const std::size_t gang : result.gangs) {
    const WorldGang& one = instance.world->gangs[gang];
    if (first == nullptr && one.coupled && !one.may_work_alone.empty()) first = &one;
  }
  if (first == nullptr) return;
  const std::string needs =
      " if `" + first->name.value + "` needs all of its pods, but that needs to be known: " + first->may_work_alone;
  if (result.verdict == Verdict::Holds) {
    if (!proves_both(instance, limits, result)) doubt(result, "it holds" + needs);
    return;
  }
  if (std::optional<ProofCounterexample> found = broken_anyhow(instance, limits, result)) {
    result.verdict = Verdict::Counterexample;
    result.reason = reason_of(*instance.world, result.property, *found);
    result.counterexample = std::move(found);
    return;
  }
  if (result.verdict == Verdict::Counterexample) doubt(result, "it is broken" + needs);
}

/// No proof is believed because of who found it.
void look_again(const Instance& instance, const ProveLimits& limits, ProofResult& result) {
  if (result.verdict != Verdict::Holds) return;
  CheckAnswer answer = check_proof(*instance.world, result, limits.faults, work_of(limits));
  switch (answer.outcome) {
    case CheckOutcome::Accepted: result.certificate.checked = true; return;
    case CheckOutcome::TooLarge: result.certificate.unchecked = std::move(answer.why); return;
    case CheckOutcome::Refused:
      return doubt(result, "a proof was found (" + std::string(name_of(*result.engine)) +
                               ") that did not stand up to a second look: " + answer.why);
  }
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
  if (answer.counterexample && answer.verdict == Verdict::Counterexample) {
    if (result.reason.empty()) result.reason = reason_of(*instance.world, property, *answer.counterexample);
    result.counterexample = std::move(answer.counterexample);
  }
  stand_up_to_races(instance, limits, result);
  stand_however_they_work(instance, limits, result);
  count_what_is_beyond(instance, result);
  count_who_is_beside(instance, result);
  count_who_is_taken_apart(instance, result);
  look_again(instance, limits, result);
  if (!result.counterexample) return result;
  for (Repair& repair : repairs_of(instance, result, limits))
    result.counterexample->repairs.push_back(std::move(repair.words));
  return result;
}

}  // namespace
}  // namespace prove

std::vector<ProofResult> prove_world(const World& world, const std::vector<Property>& properties,
                                     const ProveLimits& limits) {
  std::vector<ProofResult> out;
  for (const prove::Instance& instance : prove::instances_of(world, limits.faults)) {
    for (const Property property : properties) out.push_back(prove::judge(instance, property, limits));
  }
  return out;
}

std::string node_name(const World& world, std::size_t pool, std::int64_t node) {
  std::map<std::string_view, std::int64_t> before;
  std::int64_t left = node;
  for (const WorldNodes& nodes : world.pools[pool].nodes) {
    if (left >= nodes.count) {
      left -= nodes.count;
      before[nodes.of] += nodes.count;
      continue;
    }
    if (!nodes.of.empty()) return nodes.of + "/" + std::to_string(before[nodes.of] + left);
    break;
  }
  return world.pools[pool].name.value + "/" + std::to_string(node);
}

}  // namespace muster
