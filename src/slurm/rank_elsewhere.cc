#include "slurm/rank_elsewhere.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"

namespace muster::sbatch {
namespace {

/// What an option of the command is given, `--OPTION VALUE` or `--OPTION=VALUE`; empty: it is not there.
ShellValue value_of(const BatchCommand& command, std::initializer_list<std::string_view> options) {
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const ShellValue& word = command.words[i];
    for (const std::string_view option : options) {
      if (word.text == option && i + 1 < command.words.size()) return command.words[i + 1];
      if (word.text.starts_with(option) && word.text.size() > option.size() && word.text[option.size()] == '=')
        return tail_of(word, option.size() + 1);
    }
  }
  return {};
}

bool starts_step(const BatchCommand& command) {
  return command.via == StartedBy::Srun ||
         std::ranges::any_of(command.words, [](const ShellValue& word) { return program_name(word.text) == "srun"; });
}

/// Another rendezvous than the static one numbers the nodes itself.
bool numbers_nodes_itself(const BatchCommand& command) {
  return std::ranges::any_of(command.words, [](const ShellValue& word) {
    return contains(word.text, "c10d") || contains(word.text, "etcd") || word.text == "--standalone";
  });
}

}  // namespace

void find_rank_for_one_node(FileId file, std::string_view text, const SbatchJob& job, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 2> kRanks{"SLURM_NODEID", "SLURM_PROCID"};
  constexpr std::array<std::string_view, 3> kCounts{"SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS"};
  const bool asks = contains(text, "SLURM_NODEID") || contains(text, "SLURM_PROCID");
  const bool told = contains(text, "node_rank") || contains(text, "node-rank") || contains(text, "machine_rank");
  if (!asks || !told || job.components != 1) return;
  if (job.parts.front().min_nodes.known() && job.parts.front().min_nodes.value != 1) return;
  for (const BatchCommand& command : walk_batch_script(file, text, slurm_numbers(job)).commands) {
    if (!starts_step(command) || command.function || command.here_document || numbers_nodes_itself(command)) continue;
    const ShellValue rank = value_of(command, {"--node_rank", "--node-rank", "--machine_rank"});
    const ShellValue nodes = value_of(command, {"--nnodes", "--num_machines"});
    if (!rank.of_batch_shell() || !is_one_of(rank.mark(), kRanks) || !is_one_of(nodes.mark(), kCounts)) continue;
    findings.push_back(problem(
        "sbatch-node-rank-for-one-node", span_in(file, rank, 0, rank.text.size()),
        "the batch shell puts its own " + rank.mark() + " in, while the number of nodes is left to " + nodes.mark()));
    return;
  }
}

}  // namespace muster::sbatch
