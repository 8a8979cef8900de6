#include "slurm/launched_programs.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/torchrun_takes.h"

namespace muster::sbatch {
namespace {

/// The word behind `torchrun` or `-m torch.distributed.run` where its options begin; 0: the command has neither.
std::size_t begin_of_options(const std::vector<ShellWord>& words) {
  constexpr std::array<std::string_view, 10> kOnlyName{"command", "echo",   "grep",   "pgrep", "pip",
                                                       "pkill",   "printf", "screen", "tmux",  "which"};
  if (words.empty() || is_one_of(program_of(words[0]), kOnlyName)) return 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = program_of(words[i]);
    // srun -J torchrun: the value of an option.
    const std::string_view before = i > 0 ? plain_text(words[i - 1]) : std::string_view();
    if (name == "torchrun" && before.starts_with('-') && before != "--" && !contains(before, "=")) return 0;
    const bool module = i > 0 && plain_text(words[i - 1]) == "-m";
    if (name == "torchrun" || (module && (name == "torch.distributed.run" || name == "torch.distributed.launch")))
      return i + 1;
  }
  return 0;
}

/// The word that torchrun takes for a program of Python; nullptr: it takes none, or nobody knows which.
const ShellWord* program_behind(const std::vector<ShellWord>& words, std::size_t at) {
  constexpr std::array<std::string_view, 6> kOther{"-m",          "--module",   "--no-python",
                                                   "--no_python", "--run-path", "--run_path"};
  // argparse takes the beginning of one, too.
  const auto is_other = [&](std::string_view option) {
    return std::ranges::any_of(kOther, [&](std::string_view other) { return other.starts_with(option); });
  };
  for (; at < words.size(); ++at) {
    const std::string_view head = words[at].parts.empty() ? std::string_view() : words[at].parts[0].text;
    if (words[at].parts.empty() || words[at].parts[0].kind != ShellPart::Kind::Text) return nullptr;
    if (!head.starts_with('-')) return &words[at];
    if (is_other(head)) return nullptr;
    if (contains(head, "=")) continue;
    const TorchrunTakes takes = torchrun_takes(head);
    if (takes == TorchrunTakes::Unknown) return nullptr;  // newer releases have others
    if (takes == TorchrunTakes::Word) ++at;
  }
  return nullptr;
}

}  // namespace

void find_launched_programs(FileId file, std::span<const ShellCommand> commands, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 11> kOthers{"bash",   "sh",        "nsys",        "ncu",    "numactl", "env",
                                                     "dlprof", "apptainer", "singularity", "python", "python3"};
  for (const ShellCommand& command : commands) {
    const std::size_t begin = begin_of_options(command.words);
    const ShellWord* program = begin == 0 ? nullptr : program_behind(command.words, begin);
    if (program == nullptr) continue;
    const std::string_view name = plain_text(*program);
    if (!is_one_of(program_name(name), kOthers) && !name.ends_with(".sh")) continue;
    findings.push_back(
        problem("sbatch-launcher-given-shell", {file, program->begin, program->end},
                "torchrun runs `python " + std::string(name) + "`: without --no-python it wants a program of Python"));
    return;
  }
}

}  // namespace muster::sbatch
