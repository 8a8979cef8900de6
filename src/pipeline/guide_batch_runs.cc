#include "pipeline/guide_batch_runs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// Whether a text is a script for sbatch alone: it asks for nodes or tasks, starts steps and never looks whether it is
/// in a job.
bool is_for_sbatch_alone(std::string_view text) {
  constexpr std::array<std::string_view, 4> kAsks{"#SBATCH -N", "#SBATCH --nodes", "#SBATCH -n", "#SBATCH --ntasks"};
  constexpr std::array<std::string_view, 10> kKnows{
      "sbatch ",        "salloc",        "SLURM_JOB_ID:-", "SLURM_JOB_ID+",     "SLURM_JOB_ID:+",
      "SLURM_JOB_ID:?", "SLURM_JOB_ID?", "SLURM_JOBID",    "$SLURM_JOB_ID\" ]", "${SLURM_JOB_ID}\" ]"};
  const auto has = [&](std::string_view word) { return contains(text, word); };
  // `[ -z "$SLURM_JOB_ID" ]`
  const auto asks = [](std::string_view line) {
    return contains(line, " -z ") || contains(line, " -n ") || contains(line, " -v ");
  };
  return std::ranges::any_of(kAsks, has) && std::ranges::none_of(kKnows, has) &&
         !some_line_with(text, "SLURM_JOB_ID", asks) &&
         some_line_with(text, "srun ", [](std::string_view line) { return !trim(line).starts_with('#'); });
}

}  // namespace

void find_guide_batch_runs(const Inputs& inputs, std::vector<Finding>& findings) {
  const auto text_of = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  const auto is_guide = [&](std::size_t i) { return inputs.files[i].context.path.ends_with(".md"); };
  const auto is_script = [&](std::size_t i) { return contains(text_of(i), "\n#SBATCH"); };
  std::vector<std::size_t> guides;
  bool scripts = false;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (is_guide(i)) guides.push_back(i);
    scripts = scripts || (!is_guide(i) && is_script(i));
  }
  if (guides.empty() || !scripts) return;
  const InputNames names(inputs);
  std::map<std::size_t, bool> alone;  // by script: whether it is for sbatch alone
  for (const std::size_t i : guides) {
    std::set<std::size_t> said;  // scripts
    const std::string_view all = text_of(i);
    // A reader who has an allocation may run it as he likes.
    if (contains(all, "salloc") || contains(all, "--pty") || contains(all, "interactive")) continue;
    bool block = false;
    for (const std::string_view line : split(all, '\n')) {
      if (trim(line).starts_with("```")) block = !block;
      if (!block || !contains(line, ".s")) continue;
      for (const std::string_view command : guide_commands(line)) {
        const std::string_view script = script_that_runs(command);
        if (script.empty() || command.find("srun") < static_cast<std::size_t>(script.data() - command.data())) continue;
        // `bash job.sh --dry-run`
        const std::string_view behind =
            command.substr(static_cast<std::size_t>(script.data() - command.data()) + script.size());
        if (trim(behind).starts_with('-')) continue;
        const std::vector<std::size_t>& known = names.called(last_part(script));
        if (known.size() != 1 || said.contains(known.front())) continue;
        const auto [asked, fresh] = alone.try_emplace(known.front());
        if (fresh) asked->second = is_script(known.front()) && is_for_sbatch_alone(text_of(known.front()));
        if (!asked->second) continue;
        said.insert(known.front());
        findings.push_back(
            problem("guide-runs-batch-script", span_of_part(static_cast<FileId>(i), all, script),
                    "`" + std::string(script) + "` is run here, and its #SBATCH lines are comments then"));
        const Span marks{static_cast<FileId>(known.front()),
                         static_cast<std::uint32_t>(text_of(known.front()).find("\n#SBATCH") + 1),
                         static_cast<std::uint32_t>(text_of(known.front()).find("\n#SBATCH") + 8)};
        findings.back().related.push_back({marks, "the script"});
      }
    }
  }
}

}  // namespace muster
