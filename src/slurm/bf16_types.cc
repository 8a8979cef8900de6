#include "slurm/bf16_types.h"

#include <algorithm>
#include <array>
#include <string>

#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

/// Types of GPUs below compute capability 8.0, as sites call them. Source: developer.nvidia.com/cuda-gpus.
bool is_older_type(std::string_view word) {
  constexpr std::array<std::string_view, 9> kOlder{"2080ti", "gtx1080ti", "p100", "rtx2080", "rtx2080ti",
                                                   "t4",     "titanv",    "v100", "v100s"};
  const std::string type = to_lower(word);
  const bool volta = type.starts_with("v100-") || type.starts_with("v100_") || type.starts_with("tesla_v100") ||
                     type.starts_with("tesla-v100") || type.starts_with("nvidia_v100");
  return volta || is_one_of(std::string_view(type), kOlder);
}

class Bf16 : ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    const std::string type = older_type();
    if (type.empty()) return;
    for (const ShellCommand& command : commands_) {
      if (command.here_document || command.branch) continue;
      for (std::size_t i = 1; i < command.words.size(); ++i) {
        if (!takes_bf16(command, i)) continue;
        return report("sbatch-bf16-on-older-gpu", span_of(command.words[i]),
                      "the job asks for " + type + ", which has no units for bfloat16");
      }
    }
  }

 private:
  /// Of the one type that the job asks for; empty: it names none, or others, too.
  std::string older_type() const {
    constexpr std::array<std::string_view, 5> kNaming{"constraint", "gpus", "gpus-per-node", "gpus-per-task", "gres"};
    std::string out;
    for (const SbatchPair& pair : job_.options) {
      if (!is_one_of(std::string_view(pair.name), kNaming) || !pair.value.is_set()) continue;
      const std::string& value = pair.value.value;
      if (value.find_first_of("|,[$") != value.npos) return {};
      for (const std::string_view word : split(value, ':')) {
        for (const std::string_view part : split(word, '&')) {
          if (is_older_type(part)) out = part;
        }
      }
    }
    return out;
  }

  /// Of a program that trains or serves.
  static bool computes(const ShellWord& word) {
    constexpr std::array<std::string_view, 5> kPrograms{"train", "tune", "vllm", "sglang", "serve"};
    const std::string_view text = plain_text(word);
    return !text.starts_with('-') &&
           std::ranges::any_of(kPrograms, [&](std::string_view one) { return contains(text, one); });
  }

  static bool takes_bf16(const ShellCommand& command, std::size_t i) {
    constexpr std::array<std::string_view, 5> kNames{"--dtype", "--mixed-precision", "--mixed_precision",
                                                     "--torch_dtype", "--precision"};
    const std::string_view word = plain_text(command.words[i]);
    const std::size_t sign = word.find('=');
    const std::string_view name = word.substr(0, sign);
    const bool last = i + 1 == command.words.size();
    const std::string_view next = last ? std::string_view("--") : plain_text(command.words[i + 1]);
    const std::string_view value = sign == word.npos ? next : word.substr(sign + 1);
    if (name == "--bf16") {
      const bool alone = sign == word.npos && next.starts_with('-');
      return alone || equals_ignoring_case(value, "true") || value == "1";  // nothing: a variable
    }
    // Of programs that write a file it is the type in there.
    if (contains(name, "dtype") && std::ranges::none_of(command.words, computes)) return false;
    return is_one_of(name, kNames) && (value == "bf16" || value == "bfloat16" || value == "bf16-mixed");
  }
};

}  // namespace

void find_bf16_on_older_gpus(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                             const SbatchJob& job, std::vector<Finding>& findings) {
  Bf16(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
