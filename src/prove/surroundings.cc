#include "prove/surroundings.h"

#include <algorithm>
#include <map>
#include <set>

namespace muster::prove {
namespace {

const WorldGang& gang_of(const Instance& instance, const GangSpec& spec) { return instance.world->gangs[spec.gang]; }

/// Accelerators that each gang of the counterexample keeps from its queue: quota is taken for all of its pods.
std::map<std::string, std::int64_t> taken_of(const Instance& instance, const ProofCounterexample& found) {
  const World& world = *instance.world;
  std::map<std::string, std::int64_t> out;
  std::set<std::size_t> by_quota;
  for (const GangSpec& spec : instance.gangs) {
    if (!spec.by_quota) continue;
    by_quota.insert(spec.gang);
    const bool holds = std::ranges::any_of(found.holds, [&](const ProofHold& hold) { return hold.gang == spec.gang; });
    if (holds) out[gang_of(instance, spec).queue] += spec.gpus;
  }
  for (const ProofStep& step : found.steps) {
    const WorldGang& gang = world.gangs[step.gang];
    if (!by_quota.contains(step.gang)) out[gang.queue] += step.pods * gang.roles[step.role].gpus_per_pod;
  }
  return out;
}

std::optional<std::string> doubt_of_proof(const Instance& instance, const WorldQueue& queue) {
  std::int64_t asked = 0;
  const WorldGang* partial = nullptr;
  for (const GangSpec& spec : instance.gangs) {
    const WorldGang& gang = gang_of(instance, spec);
    if (gang.queue != queue.name) continue;
    asked += spec.gpus;
    if (spec.coupled && !spec.by_quota && fewest_held(spec) < spec.pods) partial = &gang;
  }
  if (partial == nullptr || asked <= queue.gpus) return std::nullopt;
  return "on the nodes alone it holds, but queue `" + queue.name + "` can stop `" + partial->name.value + "` halfway: it admits " +
         std::to_string(queue.gpus) + " GPUs, its gangs ask for " + std::to_string(asked);
}

}  // namespace

std::optional<std::string> doubt_by_queue(const Instance& instance, const ProofResult& result) {
  if (result.property == Property::Placeable || result.property == Property::QuotaConsistent) return std::nullopt;
  std::map<std::string, std::int64_t> taken;
  if (result.counterexample) taken = taken_of(instance, *result.counterexample);
  for (const WorldQueue& queue : instance.world->queues) {
    if (result.verdict == Verdict::Holds) {
      if (std::optional<std::string> doubt = doubt_of_proof(instance, queue)) return doubt;
    }
    if (const auto of = taken.find(queue.name); of != taken.end() && of->second > queue.gpus) {
      return "the placement that was found takes " + std::to_string(of->second) + " GPUs of queue `" + queue.name + "`, which admits " +
             std::to_string(queue.gpus) + "; whether there is another one was not decided";
    }
  }
  return std::nullopt;
}

std::vector<std::string> schedulers_of(const Instance& instance) {
  std::set<std::string> out;
  for (const GangSpec& spec : instance.gangs) {
    if (const std::string& name = gang_of(instance, spec).scheduler; !name.empty()) out.insert(name);
  }
  return {out.begin(), out.end()};
}

Instance without_commits(Instance instance) {
  for (PodKind& kind : instance.kinds) kind.least = 0;
  for (GangSpec& gang : instance.gangs) {
    gang.guaranteed = 1;
    gang.in_order = false;
  }
  return instance;
}

}  // namespace muster::prove
