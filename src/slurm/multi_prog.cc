#include "slurm/multi_prog.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"
#include "syntax/here_documents.h"

namespace muster::sbatch {
namespace {

constexpr std::int64_t kMostTasks = 1'000'000;

struct RankRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Span where;  ///< the word that it stands in
};

/// The tasks that the lines of such a file name; `whole`: some line is for all others. Nothing: the run decides one, or
/// there is none.
/// Source: SchedMD/slurm:src/srun/multi_prog.c, verify_multi_name (26.05).
struct Ranks {
  std::vector<RankRange> ranges;
  bool whole = false;
};

bool add_ranks(std::string_view word, const Span& where, Ranks& out) {
  if (word == "*") {
    out.whole = true;
    return true;
  }
  for (const std::string_view one : split(word, ',')) {
    const std::size_t dash = one.find('-');
    const std::optional<std::int64_t> first = parse_int(one.substr(0, dash));
    const std::optional<std::int64_t> last = dash == one.npos ? first : parse_int(one.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > kMostTasks) return false;
    out.ranges.push_back({*first, *last, where});
  }
  return true;
}

std::optional<Ranks> read_ranks(FileId file, std::string_view text, std::size_t begin) {
  Ranks out;
  bool goes_on = false;
  for (const std::string_view whole : split(text, '\n')) {
    const std::string_view line = trim(whole);
    const bool continued = std::exchange(goes_on, line.ends_with('\\'));
    if (continued || line.empty() || line.front() == '#') continue;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const auto at = static_cast<std::uint32_t>(begin + static_cast<std::size_t>(word.data() - text.data()));
    if (word.size() == line.size()) return std::nullopt;  // no program
    if (!add_ranks(word, {file, at, at + static_cast<std::uint32_t>(word.size())}, out)) return std::nullopt;
  }
  if (out.ranges.empty()) return std::nullopt;
  std::ranges::stable_sort(out.ranges, {}, &RankRange::first);
  return out;
}

/// Of such a file, whatever the tasks of a step.
struct Verdict {
  std::string problem;  ///< empty: none
  std::int64_t task = 0;
  std::int64_t highest = 0;
  bool whole = false;
  Span where;  ///< of the problem, else of the highest
};

std::optional<Verdict> judge_ranks(const std::optional<Ranks>& ranks) {
  if (!ranks) return std::nullopt;
  std::int64_t next = 0;  // the first task without a line so far
  for (const RankRange& range : ranks->ranges) {
    if (range.first > next && !ranks->whole) return Verdict{"no line is for task ", next, 0, false, range.where};
    if (range.first < next) return Verdict{"more than one line is for task ", range.first, 0, false, range.where};
    next = range.last + 1;
  }
  return Verdict{"", 0, next - 1, ranks->whole, ranks->ranges.back().where};
}

std::string_view unquoted(std::string_view word) {
  constexpr std::string_view kQuotes = "\"'";
  while (!word.empty() && kQuotes.find(word.front()) != kQuotes.npos) word.remove_prefix(1);
  while (!word.empty() && kQuotes.find(word.back()) != kQuotes.npos) word.remove_suffix(1);
  if (word.starts_with("./")) word.remove_prefix(2);
  return word;
}

constexpr std::string_view kMultiProgOption = "--multi-prog";

class MultiProg : public ScriptJudge {
 public:
  MultiProg(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
            const NamedConfigs& configs, std::vector<Finding>& findings)
      : ScriptJudge(file, text, commands, job, findings), configs_(configs) {}

  void run() {
    if (job_.components != 1 || contains(text_, "SLURM_NTASKS=")) return;
    gather();
    for (const BatchStep& step : job_.script.steps) {
      if (step.where.file == file_) steps_.try_emplace(step.where.begin, &step);
    }
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || command.function || program_of(command.words.front()) != "srun") continue;
      const auto option = std::ranges::find(command.words, kMultiProgOption, plain_text);
      const auto step = steps_.find(command.words.front().begin);
      if (option == command.words.end() || step == steps_.end() || step->second->other_job) continue;
      if (judge(command, *step->second)) return;
    }
  }

 private:
  /// Files that `cat > FILE <<EOF` writes, by FILE as it is written; what is written more than once, or added to, is
  /// left out.
  void gather() {
    const std::vector<TextLine> lines = lines_of(text_);
    HereDocuments documents(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::optional<HereDocument> found = documents.at(i);
      if (!found || found->end >= lines.size()) continue;
      const std::string_view target = target_of(lines[i].text);
      const std::uint32_t begin = lines[found->first].begin;
      const Span where{file_, begin, lines[found->end].begin};
      i = found->end;
      if (target.empty()) continue;
      if (const auto [known, fresh] = written_.try_emplace(target, where); !fresh) known->second = Span{};
    }
  }

  /// Whether the script speaks of the file elsewhere than where it writes and uses it: it may add to it, or replace it.
  bool is_told_of(std::string_view path) const {
    std::size_t names = 0, uses = 0;
    for (std::size_t at = text_.find(path); at != text_.npos; at = text_.find(path, at + path.size())) ++names;
    for (std::size_t at = text_.find(kMultiProgOption); at != text_.npos;
         at = text_.find(kMultiProgOption, at + kMultiProgOption.size()))
      ++uses;
    return names > 1 + uses;
  }

  static std::string_view target_of(std::string_view line) {
    const std::size_t sign = line.find('>');
    if (sign == line.npos) return {};
    const std::string_view target = trim(line.substr(sign + 1));
    return unquoted(target.substr(0, target.find_first_of(" \t<>|;&")));
  }

  /// The tasks of the step, as srun counts them before it reads the file.
  std::optional<std::int64_t> tasks_of(const BatchStep& step) const {
    const SbatchComponent& part = job_.parts.front();
    if (step.tasks.state != State::Absent) return number(step.tasks);
    if (step.tasks_per_node.state != State::Absent) return each(step.tasks_per_node, step.all_nodes);
    if (part.tasks.state != State::Absent) return number(part.tasks);
    return part.tasks_per_node.state == State::Absent ? std::nullopt : each(part.tasks_per_node, step.all_nodes);
  }
  static std::optional<std::int64_t> number(const Located<std::int64_t>& value) {
    return value.known() && value.value > 0 && value.value <= kMostTasks ? std::optional(value.value) : std::nullopt;
  }
  static std::optional<std::int64_t> each(const Located<std::int64_t>& tasks, const Located<std::int64_t>& nodes) {
    const std::optional<std::int64_t> left = number(tasks);
    const std::optional<std::int64_t> right = number(nodes);
    return left && right ? std::optional(*left * *right) : std::nullopt;
  }

  /// What is known of the file that a command names, read once.
  const Verdict* verdict_of(const ShellCommand& command) {
    for (auto word = command.words.rbegin(); word + 1 != command.words.rend(); ++word) {
      const std::string_view path = unquoted(source_of(*word));
      if (path.empty() || path.starts_with('-')) continue;
      const auto [known, fresh] = verdicts_.try_emplace(path);
      if (fresh) known->second = judge_file(path, !plain_text(*word).empty());
      if (known->second) return &*known->second;
    }
    return nullptr;
  }

  std::optional<Verdict> judge_file(std::string_view path, bool plain) const {
    if (const auto found = written_.find(path); found != written_.end()) {
      const Span where = is_told_of(path) ? Span{} : found->second;
      return where.placed() ? judge_ranks(read_ranks(file_, source_of(where), where.begin)) : std::nullopt;
    }
    const NamedConfig config = configs_ && plain ? configs_(path) : NamedConfig{};
    return config.text.empty() ? std::nullopt : judge_ranks(read_ranks(config.file, config.text, 0));
  }

  bool judge(const ShellCommand& command, const BatchStep& step) {
    const Verdict* verdict = verdict_of(command);
    if (verdict == nullptr) return false;
    const std::optional<std::int64_t> tasks = tasks_of(step);
    const std::string step_has = tasks ? ": the step has tasks 0 to " + std::to_string(*tasks - 1) : std::string();
    if (!verdict->problem.empty())
      return said(step, verdict->where, verdict->problem + std::to_string(verdict->task) + step_has);
    if (!tasks || verdict->highest == *tasks - 1) return false;
    if (verdict->highest >= *tasks)
      return said(step, verdict->where, "a line is for task " + std::to_string(verdict->highest) + step_has);
    return !verdict->whole &&
           said(step, verdict->where, "no line is for task " + std::to_string(verdict->highest + 1) + step_has);
  }

  bool said(const BatchStep& step, const Span& where, std::string message) {
    report("sbatch-multi-prog-ranks", where, std::move(message));
    findings_.back().related.push_back({step.where, "the step"});
    return true;
  }

  const NamedConfigs& configs_;
  std::map<std::uint32_t, const BatchStep*> steps_;
  std::map<std::string_view, Span> written_;
  std::map<std::string_view, std::optional<Verdict>> verdicts_;
};

}  // namespace

void find_multi_prog(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     const NamedConfigs& configs, std::vector<Finding>& findings) {
  if (contains(text, "--multi-prog")) MultiProg(file, text, commands, job, configs, findings).run();
}

}  // namespace muster::sbatch
