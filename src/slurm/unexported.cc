#include "slurm/unexported.h"

#include <algorithm>
#include <array>
#include <string>

#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"
#include "syntax/script_text.h"
#include "syntax/shell_options.h"

namespace muster::sbatch {
namespace {

/// What PyTorch, TensorFlow, JAX, CUDA and NCCL read from the environment, and what no shell has of its own accord: a
/// variable that is exported already stays so when it is set.
bool is_for_libraries(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames{"CUDA_DEVICE_MAX_CONNECTIONS",
                                                    "CUDA_LAUNCH_BLOCKING",
                                                    "HSA_FORCE_FINE_GRAIN_PCIE",
                                                    "MASTER_ADDR",
                                                    "MASTER_PORT",
                                                    "PYTORCH_CUDA_ALLOC_CONF",
                                                    "TF_CONFIG",
                                                    "TOKENIZERS_PARALLELISM",
                                                    "TORCH_DISTRIBUTED_DEBUG",
                                                    "VLLM_HOST_IP",
                                                    "XLA_FLAGS",
                                                    "XLA_PYTHON_CLIENT_PREALLOCATE"};
  constexpr std::array<std::string_view, 4> kHeads{"NCCL_", "RCCL_", "GLOO_", "TORCH_NCCL_"};
  constexpr std::array<std::string_view, 5> kPlaces{"NCCL_HOME", "NCCL_ROOT", "NCCL_DIR", "NCCL_PATH", "NCCL_VERSION"};
  if (is_one_of(name, kPlaces)) return false;
  return is_one_of(name, kNames) ||
         std::ranges::any_of(kHeads, [&](std::string_view head) { return name.starts_with(head); });
}

class Unexported : ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    constexpr std::size_t kMost = 5;
    constexpr std::size_t kMostAsked = 100;
    std::size_t said = 0;
    std::size_t asked = 0;
    if (says("allexport") || says("${!") || says("compgen") || std::ranges::any_of(commands_, exports_all)) return;
    for (std::size_t i = last_source(); i + 1 < commands_.size() && said < kMost; ++i) {
      const ShellCommand& command = commands_[i];
      if (command.words.size() != 1 || command.function || command.subshell || command.here_document) continue;
      const std::string_view name = assigned_name(command.words[0]);
      // torchrun and its like tell their processes where they meet.
      const bool of_launcher = name.starts_with("MASTER_") && (says("torchrun") || says("torch.distributed") ||
                                                               says("accelerate") || says("deepspeed"));
      if (of_launcher || !is_for_libraries(name) || ++asked > kMostAsked || !is_said_once(name)) continue;
      ++said;
      report("sbatch-variable-not-exported",
             {file_, command.words[0].begin, command.words[0].begin + static_cast<std::uint32_t>(name.size())},
             "`" + std::string(name) + "` is set without `export`: the programs do not get it");
    }
  }

 private:
  /// Where another file is read into the shell for the last time: it may export what was set before.
  std::size_t last_source() const {
    constexpr std::array<std::string_view, 5> kOthers{"activate", "conda", "bashrc", "profile", "modules"};
    for (std::size_t i = commands_.size(); i-- > 0;) {
      const ShellCommand& command = commands_[i];
      if (command.words.size() < 2) continue;
      const std::string_view name = plain_text(command.words[0]);
      if (name != "source" && name != "." && name != "eval") continue;
      const std::string_view what = text_.substr(command.words[1].begin, command.words[1].end - command.words[1].begin);
      if (std::ranges::none_of(kOthers, [&](std::string_view one) { return contains(what, one); })) return i;
    }
    return 0;
  }

  static bool exports_all(const ShellCommand& command) { return option_set_by(command, 'a', "allexport") == true; }

  /// Whether the script has the word nowhere else but in comments.
  bool is_said_once(std::string_view name) const {
    std::size_t count = 0;
    for (std::size_t at = find_in_script(text_, name); at != text_.npos; at = find_in_script(text_, name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool whole =
          (at == 0 || !is_word_char(text_[at - 1])) && (end == text_.size() || !is_word_char(text_[end]));
      if (whole && ++count > 1) return false;
    }
    return count == 1;
  }
};

}  // namespace

void find_unexported(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     std::vector<Finding>& findings) {
  Unexported(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
