#include <algorithm>

#include "prove/fill.h"
#include "prove/prove.h"
#include "prove/repair.h"

namespace muster {
namespace prove {
namespace {

constexpr std::int64_t kWork = 4'000'000;

const Instance* instance_with(const std::vector<Instance>& instances, const std::vector<std::size_t>& pools) {
  const auto found = std::ranges::find(instances, pools, &Instance::pools);
  return found == instances.end() ? nullptr : &*found;
}

/// The gangs of a counterexample as they come in it; those that place nothing come last.
std::vector<std::size_t> in_order(const ProofCounterexample& found) {
  std::vector<std::size_t> out;
  const auto add = [&](std::size_t gang) {
    const bool held = std::ranges::find(found.holds, gang, &ProofHold::gang) != found.holds.end();
    if (held && std::ranges::find(out, gang) == out.end()) out.push_back(gang);
  };
  for (const ProofStep& step : found.steps) add(step.gang);
  for (const ProofHold& hold : found.holds) add(hold.gang);
  return out;
}

/// Gangs come one after the other; each is placed whole, or waits until one of those before it has finished.
class Run {
 public:
  explicit Run(const Instance& instance) : instance_(instance), placement_(instance) { instance_.work_left = kWork; }

  /// Whether all of them complete.
  bool play(const std::vector<std::size_t>& gangs) {
    for (const std::size_t one : gangs) {
      const auto spec = std::ranges::find(instance_.gangs, one, &GangSpec::gang);
      if (spec == instance_.gangs.end()) return false;
      const auto gang = static_cast<std::size_t>(spec - instance_.gangs.begin());
      while (!place(gang)) {
        if (running_.empty()) return false;
        finish(running_.front());
        running_.erase(running_.begin());
      }
      running_.push_back(gang);
    }
    for (const std::size_t gang : running_) finish(gang);
    return true;
  }

  std::vector<ProofStep> steps() && { return std::move(steps_); }

 private:
  bool place(std::size_t gang) {
    const GangSpec& spec = instance_.gangs[gang];
    Placement with = placement_;
    for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) bind_best(with, kind);
    if (!place_anywhere(with, gang, spec.pods) || !with.quota_allows(gang)) return false;
    placement_ = std::move(with);
    std::int64_t last = 0;
    for (ProofStep step : placement_.steps()) {
      if (step.gang != spec.gang) continue;
      if (step.commit != last) ++commit_;
      last = step.commit;
      step.commit = commit_;
      steps_.push_back(step);
    }
    return true;
  }

  void finish(std::size_t gang) {
    ++commit_;
    const std::size_t in_world = instance_.gangs[gang].gang;
    std::vector<ProofStep> leaving;
    for (const ProofStep& step : steps_) {
      if (step.gang != in_world) continue;
      const auto same = std::ranges::find_if(leaving, [&](const ProofStep& other) {
        return other.role == step.role && other.pool == step.pool && other.node == step.node;
      });
      if (same == leaving.end()) {
        leaving.push_back(step);
      } else {
        same->pods += step.pods;
      }
    }
    for (ProofStep& step : leaving) {
      step.cause = StepCause::Finish;
      // Pods that wait for nobody complete each for itself.
      const std::int64_t times = instance_.gangs[gang].coupled ? 1 : step.pods;
      step.pods = instance_.gangs[gang].coupled ? -step.pods : -1;
      for (std::int64_t i = 0; i < times; ++i) {
        step.commit = instance_.gangs[gang].coupled ? commit_ : commit_++;
        steps_.push_back(step);
      }
    }
    placement_.remove(gang);
  }

  const Instance& instance_;
  Placement placement_;
  std::vector<std::size_t> running_;
  std::vector<ProofStep> steps_;
  std::int64_t commit_ = 0;
};

}  // namespace
}  // namespace prove

std::optional<MendedRun> mended_run(const World& world, const ProofResult& result, const ProveLimits& limits) {
  if (!result.counterexample) return std::nullopt;
  const std::vector<prove::Instance> instances = prove::instances_of(world, limits.faults);
  const prove::Instance* instance = prove::instance_with(instances, result.pools);
  if (instance == nullptr) return std::nullopt;
  instance->work_left = prove::kWork;
  std::vector<prove::Repair> repairs = prove::repairs_of(*instance, result, limits, 1);
  if (repairs.empty()) return std::nullopt;
  MendedRun out{std::move(repairs.front().words), std::move(repairs.front().world), {}};
  const std::vector<prove::Instance> mended = prove::instances_of(out.world, 0);
  const prove::Instance* then = prove::instance_with(mended, result.pools);
  if (then == nullptr) return std::nullopt;
  prove::Run run(*then);
  if (!run.play(prove::in_order(*result.counterexample))) return std::nullopt;
  out.steps = std::move(run).steps();
  return replay_run(out.world, out.steps).empty() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace muster
