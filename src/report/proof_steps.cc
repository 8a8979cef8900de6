#include "report/proof_steps.h"

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

std::size_t run_at(const std::vector<ProofStep>& steps, std::size_t first) {
  std::size_t end = first + 1;
  const auto alike = [&](const ProofStep& step) {
    const ProofStep& one = steps[first];
    return step.gang == one.gang && step.role == one.role && step.pool == one.pool && step.node == one.node &&
           step.pods == 1 && step.commit != steps[end - 1].commit;
  };
  while (steps[first].pods == 1 && end < steps.size() && alike(steps[end])) ++end;
  // The last one may begin a commit that goes on.
  if (end - first > 1 && end < steps.size() && steps[end].commit == steps[end - 1].commit) --end;
  return end - first;
}

std::string_view verb_of(StepCause cause) {
  switch (cause) {
    case StepCause::Place: return "places";
    case StepCause::Fault: return "loses";
    case StepCause::Evict: return "gives up";
    case StepCause::Finish: return "finishes";
    case StepCause::GiveBack: return "gives back";
  }
  return "";
}

}  // namespace

std::vector<StepRun> step_runs(const std::vector<ProofStep>& steps) {
  std::vector<StepRun> out;
  for (std::size_t next = 0; next < steps.size(); next += out.back().times)
    out.push_back({steps[next], run_at(steps, next)});
  return out;
}

std::string step_words(const World& world, const StepRun& run) {
  const ProofStep& step = run.first;
  const WorldRole& role = world.gangs[step.gang].roles[step.role];
  const bool lost = step.pods < 0;
  const std::int64_t pods = run.times > 1 ? static_cast<std::int64_t>(run.times) : lost ? -step.pods : step.pods;
  std::string out = std::string(verb_of(step.cause)) + " " + count_of(static_cast<std::size_t>(pods), "pod");
  if (run.times > 1) out += ", one by one";
  if (!role.name.empty()) out += " of " + printable(role.name);
  if (role.gpus_per_pod > 0) out += " (" + count_of(static_cast<std::size_t>(pods * role.gpus_per_pod), "GPU") + ")";
  out += " on " + printable(node_name(world, step.pool, step.node));
  return step.cause == StepCause::Evict ? out + ", for " + printable(world.gangs[step.by].name.value) : out;
}

}  // namespace muster
