#include "pipeline/prove.h"

#include <algorithm>

#include "base/strings.h"
#include "prove/prove.h"
#include "report/proof_steps.h"
#include "worlds/worlds.h"

namespace muster {
namespace {

// A check has to be quick: what takes longer is for `muster prove`.
constexpr ProveLimits kCheckLimits{20'000, 16, 1, 0};
constexpr std::size_t kPlacesShown = 4;
constexpr std::size_t kStepsTraced = 100;

class Teller {
 public:
  Teller(const Model& model, const World& world) : model_(model), world_(world) {}

  std::vector<Finding> run() {
    bool deadlock = false;
    for (const ProofResult& result :
         prove_world(world_, {Property::Placeable, Property::NoDeadlock, Property::AllOrNothing}, kCheckLimits)) {
      if (!result.counterexample) continue;
      switch (result.property) {
        case Property::Placeable: add("gang-never-fits", result); break;
        case Property::NoDeadlock:
          add("gang-deadlock-reachable", result);
          deadlock = true;
          break;
        default:
          if (!deadlock) add("gang-partial-hold-reachable", result);
      }
    }
    return std::move(out_);
  }

 private:
  const Gang* gang_of(const ProofHold& hold) const {
    const std::optional<std::size_t>& gang = world_.gangs[hold.gang].gang;
    return gang ? &model_.gangs[*gang] : nullptr;
  }

  void add(std::string_view rule, const ProofResult& result) {
    const ProofCounterexample& found = *result.counterexample;
    const Gang* first = gang_of(found.holds.front());
    if (first == nullptr) return;
    Finding finding = problem(rule, place_of(*first), message_of(result));
    finding.object = first->id;
    if (!found.repairs.empty()) finding.follows = "mended when you " + join(found.repairs, "; or ");
    for (const ProofHold& hold : found.holds) {
      const Gang* gang = gang_of(hold);
      if (gang == nullptr || finding.related.size() >= kPlacesShown) continue;
      if (gang != first)
        finding.related.push_back({place_of(*gang), "`" + gang->name.value + "` holds " + std::to_string(hold.placed) +
                                                        " of " +
                                                        count_of(static_cast<std::size_t>(hold.needs), "pod")});
      if (gang->guaranteed.where.placed() && gang->guaranteed.is_set()) {
        finding.related.push_back(
            {gang->guaranteed.where, std::to_string(gang->guaranteed.value) + " of them are placed together"});
      }
    }
    for (const WorldSource& source : world_.rests_on) {
      if (source.where.placed()) finding.related.push_back({source.where, source.says});
    }
    for (const std::size_t pool : result.pools) {
      finding.related.push_back({world_.pools[pool].where, "pool `" + world_.pools[pool].name.value + "`"});
    }
    trace(found, finding);
    out_.push_back(std::move(finding));
  }

  void trace(const ProofCounterexample& found, Finding& finding) const {
    for (const StepRun& run : step_runs(found.steps)) {
      const WorldGang& gang = world_.gangs[run.first.gang];
      if (!gang.gang || finding.trace.size() >= kStepsTraced) continue;
      finding.trace.push_back({gang.name.value, place_of(model_.gangs[*gang.gang]),
                               "`" + gang.name.value + "` " + step_words(world_, run)});
    }
  }

  static Span place_of(const Gang& gang) { return gang.size.where.placed() ? gang.size.where : gang.where; }

  std::string message_of(const ProofResult& result) const {
    std::string pools;
    for (const std::size_t pool : result.pools)
      pools += (pools.empty() ? "`" : ", `") + world_.pools[pool].name.value + "`";
    return "in pool " + pools + ": " + result.reason;
  }

  const Model& model_;
  const World& world_;
  std::vector<Finding> out_;
};

/// A gang that its queue never admits is what rule queue-below-gang speaks of; here it would hide the next one.
void leave_to_other_rules(const Model& model, World& world) {
  std::erase_if(world.gangs, [&](const WorldGang& gang) {
    const Located<std::int64_t>& together = model.gangs[*gang.gang].guaranteed_gpus;
    const auto queue = std::ranges::find(world.queues, gang.queue, &WorldQueue::name);
    return together.known() && queue != world.queues.end() && together.value > queue->gpus;
  });
}

}  // namespace

std::vector<Finding> prove_for_check(const Model& model) {
  std::vector<Finding> out;
  const FoundWorlds found = find_worlds(model, {});
  for (std::size_t i = model.worlds.size(); i < found.worlds.size(); ++i) {
    if (!found.worlds[i].assumes.empty()) continue;
    World world = found.worlds[i];
    leave_to_other_rules(model, world);
    for (Finding& finding : Teller(model, world).run()) out.push_back(std::move(finding));
  }
  return out;
}

WorldOptions world_options(const Targets& targets, std::int64_t concurrent) {
  const auto slurm = targets.find("slurm");
  return {concurrent, true, slurm != targets.end() && slurm->second >= *Version::parse("24.11")};
}

}  // namespace muster
