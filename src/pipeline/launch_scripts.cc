#include "pipeline/launch_scripts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"
#include "slurm/script_slips.h"
#include "slurm/split_lists.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 18> kLaunchPrograms{
    "accelerate", "apptainer", "aws",     "az",     "deepspeed", "docker",      "eksctl", "gcloud",   "helm",
    "kubectl",    "mpirun",    "nerdctl", "podman", "sbatch",    "singularity", "srun",   "torchrun", "vllm"};

bool names_launcher(std::string_view text) {
  return std::ranges::any_of(kLaunchPrograms, [&](std::string_view one) { return contains(text, one); });
}

/// Whether the line before `at` belongs to the command that goes on there.
bool goes_on_before(std::string_view line) {
  line = trim(line);
  return line.ends_with('\\') || line.starts_with('#') || contains(line, "\\ ");
}

/// Whether the command that a slip cuts is one of a launcher, and the slip no part of a text in quotes.
bool cuts_launch(std::string_view text, const Finding& slip) {
  std::size_t begin = text.substr(0, slip.where.begin).rfind('\n') + 1;  // npos + 1 is 0
  bool further = slip.rule == "sbatch-option-as-command";                // its command ends in a line before
  while (begin > 0) {
    const std::size_t above = begin < 2 ? 0 : text.rfind('\n', begin - 2) + 1;
    const std::string_view line = text.substr(above, begin - 1 - above);
    if (!further && !goes_on_before(line)) break;
    further = further && trim(line).starts_with('#');
    begin = above;
  }
  const std::string_view cut = text.substr(begin, slip.where.begin - begin);
  if (std::ranges::count(cut, '"') % 2 != 0 || std::ranges::count(cut, '\'') % 2 != 0) return false;
  const std::vector<std::string_view> words = split_blanks(cut);
  return std::ranges::any_of(
      words, [](std::string_view word) { return std::ranges::find(kLaunchPrograms, word) != kLaunchPrograms.end(); });
}

}  // namespace

void find_launch_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const bool shell = path.ends_with(".sh") || path.ends_with(".bash");
    if (!shell || contains(text, "{{") || contains(text, "{%") || !names_launcher(text)) continue;
    std::vector<Finding> slips;
    sbatch::find_line_slips(static_cast<FileId>(i), text, slips);
    sbatch::find_split_lists(static_cast<FileId>(i), text, findings);
    for (Finding& slip : slips) {
      if (cuts_launch(text, slip)) findings.push_back(std::move(slip));
    }
  }
}

}  // namespace muster
