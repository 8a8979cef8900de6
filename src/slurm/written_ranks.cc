#include "slurm/written_ranks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/here_documents.h"

namespace muster::sbatch {
namespace {

std::string_view without_quotes(std::string_view word) {
  constexpr std::string_view kQuotes = "\"'";
  while (!word.empty() && kQuotes.find(word.front()) != kQuotes.npos) word.remove_prefix(1);
  while (!word.empty() && kQuotes.find(word.back()) != kQuotes.npos) word.remove_suffix(1);
  return word;
}

/// The file that `cat > FILE <<EOF` writes, without quotes; empty: none.
std::string_view written_file(std::string_view line) {
  constexpr std::string_view kEnds = " \t<>|;&";
  line = trim(line);
  const std::size_t sign = line.find('>');
  if (!line.starts_with("cat ") || sign == line.npos) return {};
  std::string_view target = trim(line.substr(sign + 1));
  if (target.starts_with('>') || target.starts_with('&')) return {};
  target = without_quotes(target.substr(0, target.find_first_of(kEnds)));
  if (target.starts_with("./")) target.remove_prefix(2);
  return target;
}

struct Rank {
  std::string_view name;
  std::size_t at = 0;
  bool printed = false;  ///< for somebody to see
};

/// Into no file and no other command.
bool is_printed(std::string_view line) {
  line = trim(line);
  return (line.starts_with("echo ") || line.starts_with("printf ")) && line.find_first_of(">|") == line.npos;
}

/// A number of a task that the shell fills in while it writes: `$SLURM_PROCID`, and not `\$SLURM_PROCID`. The first one
/// that something is made of, else the first one.
std::optional<Rank> rank_filled_in(std::string_view document, bool on_nodes) {
  constexpr std::array<std::string_view, 3> kRanks{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"};
  std::optional<Rank> first;
  for (const std::string_view name : kRanks) {
    if (name == "SLURM_NODEID" && !on_nodes) continue;
    for (std::size_t at = document.find(name); at != document.npos; at = document.find(name, at + 1)) {
      const std::string_view before = document.substr(0, at);
      const std::size_t sign = before.ends_with("${") ? at - 2 : before.ends_with('$') ? at - 1 : document.npos;
      if (sign == document.npos || (sign > 0 && document[sign - 1] == '\\')) continue;
      const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
      if (trim(line).starts_with('#')) continue;
      const std::string_view from_line = document.substr(before.size() - line.size());
      const Rank rank{name, sign, is_printed(from_line.substr(0, from_line.find('\n')))};
      if (!first || std::pair(rank.printed, rank.at) < std::pair(first->printed, first->at)) first = rank;
      if (!rank.printed) break;
    }
  }
  return first;
}

/// The step of several tasks that runs the file, if one does.
const BatchStep* step_running(std::string_view file, std::string_view text, std::span<const ShellCommand> commands,
                              const SbatchJob& job, std::size_t from, std::size_t& looks) {
  const auto runs = [&](const ShellWord& word) {
    const std::string_view path = without_quotes(text.substr(word.begin, word.end - word.begin));
    return path == file || (path.ends_with(file) && path[path.size() - file.size() - 1] == '/');
  };
  for (const ShellCommand& command : commands) {
    looks -= std::min(looks, command.words.size() + 1);
    if (looks == 0) return nullptr;
    if (command.words.empty() || command.words.front().begin < from) continue;
    const std::uint32_t begin = command.words.front().begin;
    const std::uint32_t end = command.words.back().end;
    const bool starts =
        std::ranges::any_of(command.words, [](const ShellWord& word) { return program_of(word) == "srun"; });
    if (!starts || std::ranges::none_of(command.words, runs)) continue;
    looks -= std::min(looks, job.script.steps.size());
    const auto step = std::ranges::find_if(job.script.steps, [&](const BatchStep& one) {
      return one.where.file == job.where.file && one.where.begin >= begin && one.where.begin < end;
    });
    if (step != job.script.steps.end() && !step->other_job) return &*step;
  }
  return nullptr;
}

}  // namespace

void find_written_ranks(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings) {
  if (!contains(text, "<<") || job.components != 1) return;
  constexpr int kMostRankScripts = 100;
  int written = 0;
  std::size_t looks = 2'000'000;  // at words and steps
  const std::vector<TextLine> lines = lines_of(text);
  HereDocuments documents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<HereDocument> found = documents.at(i);
    if (!found || found->end >= lines.size()) continue;
    const std::uint32_t begin = lines[found->first].begin;
    const std::string_view document = text.substr(begin, lines[found->end].begin - begin);
    const std::string_view target = written_file(lines[i].text);
    i = found->end;
    // What is submitted has a shell of its own.
    if (!found->expanded || target.size() < 3 || contains(document, "#SBATCH") || contains(document, "srun ")) continue;
    if (!rank_filled_in(document, true)) continue;
    if (++written > kMostRankScripts) return;
    const BatchStep* step = step_running(target, text, commands, job, lines[found->end].begin, looks);
    if (step == nullptr) continue;
    const bool on_nodes = step->all_nodes.known() && step->all_nodes.value > 1;
    if (!on_nodes && !(step->tasks_each_node.known() && step->tasks_each_node.value > 1)) continue;
    const std::optional<Rank> rank = rank_filled_in(document, on_nodes);
    if (!rank) continue;
    const auto at = static_cast<std::uint32_t>(begin + rank->at);
    const auto end = static_cast<std::uint32_t>(document.find(rank->name, rank->at) + rank->name.size());
    findings.push_back(problem(rank->printed ? "sbatch-rank-printed-by-batch-shell" : "sbatch-rank-in-here-document",
                               {file, at, begin + end},
                               "the batch shell puts its own " + std::string(rank->name) +
                                   (rank->printed ? ", which is 0, into what every task prints"
                                                  : ", which is 0, into the script that every task runs")));
    return;
  }
}

}  // namespace muster::sbatch
