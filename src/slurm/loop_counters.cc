#include "slurm/loop_counters.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

struct Counter {
  const ShellWord* read = nullptr;   ///< the first in a loop that is more than a message
  const ShellWord* count = nullptr;  ///< `N=$((N + 1))`, the first in a loop
  std::size_t counts = 0;            ///< how often it is counted
  bool other = false;                ///< something else sets it, or reads it with a default
};

/// `N + 1` of `N=$((N + 1))`, `$N+1`.
bool counts_up(std::string_view sum, std::string_view name) {
  std::string bare;
  for (const char c : sum) {
    if (c != ' ' && c != '$' && c != '{' && c != '}') bare += c;
  }
  return bare == std::string(name) + "+1" || bare == "1+" + std::string(name);
}

class LoopCounters : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    if (is_exported() || !gather()) return;
    constexpr int kMostAsked = 20;
    int asked = 0;
    for (const auto& [name, one] : counters_) {
      if (is_given(name)) continue;
      if (one.other || one.count == nullptr || one.read == nullptr || one.read->begin > one.count->begin) continue;
      if (++asked > kMostAsked || is_set_somehow(name, one.counts)) continue;
      report("sbatch-counter-without-begin", span_of(*one.read),
             "`" + std::string(name) + "` is counted up behind this, and nothing sets it before");
      findings_.back().related.push_back({span_of(*one.count), "where it is counted"});
      return;
    }
  }

 private:
  /// False: something else may set anything.
  bool gather() {
    constexpr std::array<std::string_view, 3> kBrings{"source", ".", "eval"};
    constexpr std::array<std::string_view, 2> kSays{"echo", "printf"};
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      const std::string_view program = plain_text(command.words.front());
      if (is_one_of(program, kBrings)) return false;
      const bool sets = declares(command.words.front()) || !assigned_name(command.words.front()).empty();
      for (const ShellWord& word : command.words) {
        if (const std::string_view name = sets ? assigned_name(word) : std::string_view(); !name.empty())
          note_set(command, word, name);
        for (const ShellPart& part : word.parts) {
          if (part.kind != ShellPart::Kind::Variable) continue;
          Counter& one = counters_[part.text];
          one.other = one.other || !part.rest.empty();
          // `[[ ]]` takes a word that is empty for 0, and `x$N` is a name without its end.
          const bool read = command.loop && !is_one_of(program, kSays) && program != "[[" && is_whole(word) &&
                            assigned_name(word) != part.text;
          if (read && one.read == nullptr) one.read = &word;
        }
      }
    }
    return true;
  }

  /// `$N`, `"$N"`, `--rank=$N`, and `--rank $N` at the end of a longer text.
  static bool is_whole(const ShellWord& word) {
    const std::vector<const ShellPart*> parts = written_parts(word);
    if (parts.size() < 2) return true;
    const ShellPart& before = *parts[parts.size() - 2];
    if (before.kind != ShellPart::Kind::Text || parts.back()->kind != ShellPart::Kind::Variable) return false;
    const std::string_view text = trim(before.text);
    const std::string_view last = text.substr(text.find_last_of(" \t\n") + 1);  // npos + 1 is 0
    return last.starts_with('-') && (before.text.ends_with(' ') || before.text.ends_with('='));
  }

  /// By Slurm, by MPI or by the shell itself.
  static bool is_given(std::string_view name) {
    constexpr std::array<std::string_view, 5> kBegins{"SLURM_", "PBS_", "OMPI_", "PMI_", "BASH"};
    return name == "RANDOM" || name == "SECONDS" ||
           std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
  }

  /// Whether the submission may bring variables of its own.
  bool is_exported() const {
    const auto exports = [](const SbatchPair& option) { return option.name == "export"; };
    return job_.given_open || std::ranges::any_of(job_.given, exports) ||
           std::ranges::any_of(job_.options, [&](const SbatchPair& option) {
             return exports(option) &&
                    (!option.value.known() || (option.value.value != "ALL" && option.value.value != "NONE"));
           });
  }

  void note_set(const ShellCommand& command, const ShellWord& word, std::string_view name) {
    Counter& one = counters_[name];
    const std::vector<const ShellPart*> parts = written_parts(word);
    const bool alone = parts.size() == 2 && parts[0]->text.size() == name.size() + 1;
    if (alone && parts[1]->kind == ShellPart::Kind::Variable && parts[1]->text == name && parts[1]->rest.empty())
      return;
    const bool counts = alone && command.loop && !command.function && !command.subshell &&
                        parts[1]->kind == ShellPart::Kind::Arithmetic && counts_up(parts[1]->text, name);
    if (!counts) {
      one.other = true;
    } else {
      ++one.counts;
      if (one.count == nullptr) one.count = &word;
    }
  }

  /// `read N`, `for N in`, `((N = 0))`: whatever names it but reading, assigning and the sums that count it.
  bool is_set_somehow(std::string_view name, std::size_t counts) const {
    constexpr std::size_t kNear = 1000;  // bytes of a line before the place
    std::size_t bare = 0;
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at > 0 && is_word_char(text_[at - 1])) || (end < text_.size() && is_word_char(text_[end]))) continue;
      const std::string_view before = text_.substr(0, at);
      if (before.ends_with('$') || before.ends_with("${")) continue;
      if (end < text_.size() && text_[end] == '=') {
        // `sbatch --export=ALL,N=0`, also as the usage in a comment.
        const std::string_view near = before.substr(before.size() - std::min(before.size(), kNear));
        const std::size_t line = near.rfind('\n') + 1;  // npos + 1 is 0
        if (before.ends_with(',') || trim(near.substr(line)).starts_with('#')) return true;
        continue;
      }
      // `--env NAME=...` was an assignment; a name alone may be one of anything.
      ++bare;
    }
    return bare > counts;
  }

  std::map<std::string_view, Counter> counters_;
};

}  // namespace

void find_loop_counters(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings) {
  if (contains(text, "$((") && contains(text, "done")) LoopCounters(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
