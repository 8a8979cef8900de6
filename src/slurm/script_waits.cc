#include "slurm/script_waits.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kMostLoop = 2000;  // letters of a loop that is looked at

class Waits : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    endless();
    status_of_message();
  }

 private:
  void report(std::string_view rule, std::size_t begin, std::size_t end, std::string message) {
    ScriptJudge::report(rule, {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                        std::move(message));
  }

  /// `until curl ...; do sleep 10; done`, once a script.
  void endless() {
    if (!asks_gpus() || std::ranges::none_of(commands_, &ShellCommand::background)) return;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view line = trim(text_.substr(begin, end - begin));
      if (asks_server(line)) {
        const std::string_view loop = text_.substr(begin, kMostLoop);
        // Whatever stands near: a limit may be above the loop, and the word may stand within a message.
        const std::size_t above = begin - std::min<std::size_t>(begin, 200);
        const std::size_t done = loop.find("\ndone");
        const std::size_t inner = done == loop.npos ? loop.find("done") : done;
        if (inner == loop.npos || has_end(loop.substr(0, inner)) ||
            contains(text_.substr(above, begin - above), "timeout"))
          return;
        const auto at = static_cast<std::size_t>(line.data() - text_.data());
        return report("sbatch-wait-without-end", at, at + line.size(),
                      "this loop of `" + job_.name.value + "` ends only when the server answers");
      }
      begin = end + 1;
    }
  }

  static bool asks_server(std::string_view line) {
    constexpr std::array<std::string_view, 7> kAsks{"until curl ",   "until wget ", "until nc ",    "until $(curl ",
                                                    "while ! curl ", "while ! nc ", "while ! wget "};
    return std::ranges::any_of(kAsks, [&](std::string_view one) { return line.starts_with(one); });
  }

  static bool has_end(std::string_view loop) {
    constexpr std::array<std::string_view, 12> kEnds{"kill -0", "break", "exit", "((",   "timeout", "SECONDS",
                                                     "ps -p",   "pgrep", "-ge ", "-gt ", "return",  "-lt "};
    return std::ranges::any_of(kEnds, [&](std::string_view one) { return contains(loop, one); });
  }

  /// `echo "end"`, then `status=$?`.
  void status_of_message() {
    constexpr std::array<std::string_view, 3> kMessages{"echo", "printf", "date"};
    constexpr int kMostAsked = 50;
    std::size_t at = text_.find("$?");
    for (int asked = 0; at != text_.npos && asked < kMostAsked; ++asked, at = text_.find("$?", at + 2)) {
      const std::size_t begin = text_.rfind('\n', at) + 1;  // npos + 1 is 0
      const std::string_view before = trim(text_.substr(begin, at - begin));
      if (!is_kept(before)) continue;
      const ShellCommand* last = last_before(static_cast<std::uint32_t>(begin));
      if (last == nullptr || last->function || last->subshell || last->here_document) continue;
      const std::string_view program = program_of(last->words.front());
      if (!is_one_of(program, kMessages)) continue;
      // Not behind `||`, and nothing but blank lines and comments in between: what ends a block has a status of its
      // own. That of `if` without `else` is 0 where its condition does not hold.
      const std::uint32_t own = last->words.front().begin;
      const std::size_t line = own == 0 ? 0 : text_.rfind('\n', own - 1) + 1;  // npos + 1 is 0
      if (!trim(text_.substr(line, own - line)).empty()) continue;
      const std::string_view above = trim(text_.substr(0, line));
      constexpr std::string_view kGoesOn = "&|\\";
      if (!above.empty() && kGoesOn.find(above.back()) != kGoesOn.npos) continue;
      // A message into a file may fail.
      const std::size_t stop = std::min(text_.find('\n', last->words.back().end), begin);
      if (contains(text_.substr(last->words.back().end, stop - last->words.back().end), ">")) continue;
      const std::size_t next = std::min(text_.find('\n', last->words.back().end), begin);
      if (!is_next(text_.substr(next, begin - next), above)) continue;
      return report("sbatch-status-of-message", at, at + 2,
                    "`$?` is here the status of `" + std::string(program) + "`, the command before");
    }
  }

  /// Whether a message decides about the status behind it. `above`: the text before the message.
  static bool is_next(std::string_view between, std::string_view above) {
    bool ended = false;
    for (const std::string_view one : split(between, '\n')) {
      const std::string_view line = trim(one);
      if (line.empty() || line.front() == '#') continue;
      if (line != "fi" || ended || !is_only_branch(above)) return false;
      ended = true;
    }
    return true;
  }

  /// Whether `if` begins the block that the text ends in, and not `else`.
  static bool is_only_branch(std::string_view above) {
    constexpr int kMostLines = 100;
    int inner = 0;
    for (int looked = 0; looked < kMostLines && !above.empty(); ++looked) {
      const std::size_t begin = above.rfind('\n') + 1;  // npos + 1 is 0
      const std::string_view line = trim(above.substr(begin));
      above = above.substr(0, begin == 0 ? 0 : begin - 1);
      const bool ends = line == "fi" || line.starts_with("fi ") || line.starts_with("fi;");
      const bool begins = line.starts_with("if ") && !line.ends_with("fi");
      if (inner == 0 && (line.starts_with("else") || line.starts_with("elif"))) return false;
      if (begins && inner == 0) return true;
      inner += (ends ? 1 : 0) - (begins ? 1 : 0);
    }
    return false;
  }

  /// `STATUS=$?`, `if [ $? -ne 0 ]`.
  static bool is_kept(std::string_view before) {
    constexpr std::array<std::string_view, 6> kTests{"if [", "if [[", "[", "[[", "if ((", "if test"};
    const std::string_view bare =
        before.ends_with('"') ? trim(before.substr(0, before.size() - 1)) : std::string_view(before);
    if (is_one_of(bare, kTests)) return true;
    return bare.ends_with('=') && is_shell_name(bare.substr(0, bare.size() - 1));
  }

  const ShellCommand* last_before(std::uint32_t place) const {
    const ShellCommand* out = nullptr;
    for (const ShellCommand& command : commands_) {
      if (!command.words.empty() && command.words.back().end <= place) out = &command;
    }
    return out;
  }
};

}  // namespace

void find_script_waits(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                       std::vector<Finding>& findings) {
  Waits(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
