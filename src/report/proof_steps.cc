#include "report/proof_steps.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

/// More steps than that are counted, not shown, to people.
constexpr std::size_t kStepsShown = 24;
constexpr std::size_t kHoldsShown = 8;

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

std::vector<std::string> step_lines(const World& world, const std::vector<ProofStep>& steps) {
  std::size_t width = 4;
  for (const ProofStep& step : steps) width = std::max(width, printable(world.gangs[step.gang].name.value).size());
  const std::vector<StepRun> runs = step_runs(steps);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(runs.size(), kStepsShown); ++i) {
    const ProofStep& step = runs[i].first;
    const bool together = i > 0 && runs[i - 1].first.commit == step.commit;
    std::string number = together ? "+" : std::to_string(step.commit);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    std::string name = printable(world.gangs[step.gang].name.value);
    name.resize(width, ' ');
    out.push_back(number + "  " + name + "  " + step_words(world, runs[i]));
  }
  if (runs.size() > kStepsShown)
    out.push_back("       ... and " + std::to_string(runs.size() - kStepsShown) +
                  " steps more (--format json has all)");
  return out;
}

std::vector<std::string> short_lines(const World& world, const std::vector<ProofStep>& steps) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < steps.size();) {
    const ProofStep& first = steps[at];
    std::size_t end = at + 1;
    const auto alike = [&](const ProofStep& step) {
      return step.gang == first.gang && step.role == first.role && step.pool == first.pool && step.pods == first.pods &&
             step.cause == first.cause && step.by == first.by;
    };
    while (end < steps.size() && alike(steps[end])) ++end;
    const std::size_t times = end - at;
    std::string line = printable(world.gangs[first.gang].name.value) + " " + step_words(world, {first, 1});
    if (times > 1) line += " and likewise on " + count_of(times - 1, "further node");
    if (times > 1) line += steps[end - 1].commit == first.commit ? ", all at once" : ", one after the other";
    out.push_back(std::move(line));
    at = end;
  }
  if (out.size() > kStepsShown) {
    const std::size_t more = out.size() - kStepsShown;
    out.resize(kStepsShown);
    out.push_back("... and " + std::to_string(more) + " lines more (--format json has all)");
  }
  return out;
}

std::string counterexample_text(const World& world, const ProofResult& result) {
  const ProofCounterexample& found = *result.counterexample;
  std::string out;
  for (const std::string& line : step_lines(world, found.steps)) out += "  " + line + "\n";
  for (const ProofHold& hold : found.holds) {
    if (&hold - found.holds.data() == static_cast<std::ptrdiff_t>(kHoldsShown)) {
      out += "    then " + std::to_string(found.holds.size() - kHoldsShown) + " more gangs hold parts of theirs\n";
      break;
    }
    out += "    then " + printable(world.gangs[hold.gang].name.value) + " holds " + std::to_string(hold.placed) +
           " of " + count_of(static_cast<std::size_t>(hold.needs), "pod") + "\n";
  }
  out += "    and " + count_of(static_cast<std::size_t>(found.free_gpus), "GPU") +
         (found.free_gpus == 1 ? " is free\n" : " are free\n");
  for (const std::string& repair : found.repairs) out += "    = mended: " + printable(repair) + "\n";
  return out;
}

}  // namespace muster
