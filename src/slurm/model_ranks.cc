#include "slurm/model_ranks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/strings.h"
#include "slurm/launches.h"

namespace muster::sbatch {
namespace {

// Source: NVIDIA/Megatron-LM:megatron/training/arguments.py, validate_args (core_v0.15.0); megatron/arguments.py,
// parse_args (v2.5): the world is a multiple of the product of these.
constexpr std::array<std::string_view, 3> kModelSizes{"--tensor-model-parallel-size", "--pipeline-model-parallel-size",
                                                      "--context-parallel-size"};
constexpr std::int64_t kMostModelRanks = 100'000;

/// `pretrain_gpt.py`, as all programs of Megatron-LM that train begin.
bool is_megatron(std::string_view word) {
  const std::string_view name = program_name(word);
  return name.starts_with("pretrain_") && name.ends_with(".py");
}

class ModelRanks {
 public:
  ModelRanks(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
             std::vector<Finding>& findings)
      : file_(file),
        text_(text),
        job_(job),
        numbers_(slurm_numbers(job)),
        body_(walk_batch_script(file, text, numbers_, called)),
        findings_(findings) {}

  void run() {
    for (const BatchCommand& command : body_.commands) {
      if (command.branch || command.loop || command.function) continue;
      const auto program =
          std::ranges::find_if(command.words, [](const ShellValue& word) { return is_megatron(word.text); });
      if (program == command.words.end()) continue;
      read(command.words, static_cast<std::size_t>(program - command.words.begin()) + 1);
      if (const BatchLaunch* launch = launch_of(command)) world(*launch);
      connections();
    }
  }

 private:
  /// The sizes, behind the program.
  void read(const std::vector<ShellValue>& words, std::size_t at) {
    sizes_ = {};
    sequence_ = {};
    for (; at < words.size(); ++at) {
      const std::string& word = words[at].text;
      if (word == "--sequence-parallel") sequence_ = span_in(file_, words[at], 0, word.size());
      for (std::size_t s = 0; s < kModelSizes.size(); ++s) {
        if (!word.starts_with(kModelSizes[s])) continue;
        const bool behind = word.size() == kModelSizes[s].size() && at + 1 < words.size();
        if (!behind && !word.substr(kModelSizes[s].size()).starts_with('=')) continue;
        const ShellValue value = behind ? words[at + 1] : tail_of(words[at], kModelSizes[s].size() + 1);
        sizes_[s] = number_of(value, numbers_);
        if (s == 0) tensor_ = span_in(file_, value, 0, value.text.size());
      }
    }
  }

  /// That of torchrun which is among the words of the command; nullptr: it is started otherwise.
  const BatchLaunch* launch_of(const BatchCommand& command) const {
    for (const BatchLaunch& launch : job_.script.launches) {
      if (launch.launcher != "torchrun" && launch.launcher != "torch.distributed.launch") continue;
      if (std::ranges::any_of(command.words, [&](const ShellValue& word) {
            const Span where = span_in(file_, word, 0, word.text.size());
            return where.file == launch.where.file && where.begin == launch.where.begin;
          }))
        return &launch;
    }
    return nullptr;
  }

  void world(const BatchLaunch& launch) {
    if (!sizes_[0] || launch.branch || launch.loop || !launch.nodes.is_set() || !launch.processes.is_set()) return;
    // A size that only the run tells is a factor of the world as well: it is a multiple of the others anyway.
    std::int64_t product = 1;
    for (const std::optional<std::int64_t>& size : sizes_) {
      if (size && *size > 1 && *size <= kMostModelRanks) product *= *size;
      if (product > kMostModelRanks) return;
    }
    const std::int64_t nodes = launch.nodes.value;
    const std::int64_t each = launch.processes.value;
    if (nodes < 1 || each < 1 || nodes > kMostModelRanks || each > kMostModelRanks) return;
    if (nodes * each % product == 0 || fits_when_cut(nodes * each)) return;
    findings_.push_back(problem("sbatch-model-parallel-uneven", tensor_,
                                "Megatron starts " + std::to_string(nodes * each) +
                                    " ranks, and a copy of its model takes " + std::to_string(product)));
    findings_.back().related.push_back({launch.nodes.where, "the nodes"});
    findings_.back().related.push_back({launch.processes.where, "the ranks of a node"});
  }

  /// Up to 2023 Megatron first makes each size as small as the ranks that are left. Source:
  /// NVIDIA/Megatron-LM:megatron/arguments.py, validate_args (23.06).
  bool fits_when_cut(std::int64_t world) const {
    const auto size = [&](std::size_t s) { return std::max<std::int64_t>(sizes_[s].value_or(1), 1); };
    const std::int64_t tensor = std::min(size(0), world);
    const std::int64_t pipeline = std::min(size(1), world / tensor);
    return world % (tensor * pipeline * size(2)) == 0;
  }

  void connections() {
    if (sequence_.file == FileId::None || !sizes_[0] || *sizes_[0] < 2 || sets_connections()) return;
    findings_.push_back(
        problem("sbatch-sequence-parallel-connections", sequence_,
                "Megatron is to share sequences among its ranks, and nothing here sets CUDA_DEVICE_MAX_CONNECTIONS"));
  }

  /// Somewhere in what is read, or where nobody looks.
  bool sets_connections() const {
    // With its FSDP and with experts that overlap Megatron wants another number, or none. Not every release of
    // BigCode's fork asks, which knows the last ones.
    constexpr std::array<std::string_view, 14> kSigns{"CUDA_DEVICE_MAX_CONNECTIONS",
                                                      "nemo",
                                                      "NeMo",
                                                      "b200",
                                                      "B200",
                                                      "b300",
                                                      "B300",
                                                      "--use-megatron-fsdp",
                                                      "--use-torch-fsdp2",
                                                      "--use-custom-fsdp",
                                                      "--overlap-moe-expert-parallel-comm",
                                                      "--attention-head-type",
                                                      "--fim-rate",
                                                      "--train-weighted-split-paths-path"};
    return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text_, sign); }) ||
           std::ranges::any_of(body_.settings,
                               [](const ScriptSetting& set) { return set.name == "CUDA_DEVICE_MAX_CONNECTIONS"; }) ||
           std::ranges::any_of(body_.commands, [](const BatchCommand& command) {
             const std::string_view name = command.words.empty() ? std::string_view() : command.words.front().text;
             return (name == "source" || name == ".") && !sources_environment(command);
           });
  }

  FileId file_;
  std::string_view text_;
  const SbatchJob& job_;
  std::map<std::string, std::int64_t> numbers_;
  BatchBody body_;
  std::vector<Finding>& findings_;
  std::array<std::optional<std::int64_t>, kModelSizes.size()> sizes_;
  Span tensor_;
  Span sequence_;
};

}  // namespace

void find_model_ranks(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
                      std::vector<Finding>& findings) {
  // Walking through a script takes its time: few speak of this.
  if (!contains(text, kModelSizes[0]) || !contains(text, "pretrain_")) return;
  ModelRanks(file, text, job, called, findings).run();
}

}  // namespace muster::sbatch
