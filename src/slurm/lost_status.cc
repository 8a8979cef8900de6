#include "slurm/lost_status.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"
#include "syntax/script_text.h"

namespace muster::sbatch {
namespace {

/// Commands at the end of a script that say, tidy or show, and succeed nearly always.
constexpr std::array<std::string_view, 31> kHarmless{
    "echo",       "printf", "date", "ls",   "cd",       "conda", "module", "ml",    "sleep", "nvidia-smi", "rocm-smi",
    "deactivate", "squeue", "df",   "free", "hostname", "cat",   "rm",     "mkdir", "kill",  "head",       "tail",
    "seff",       "sacct",  "set",  "wait", "scontrol", "sync",  "unset",  "true",  "export"};

/// Commands that fail where a run left nothing behind: harmless where what comes last is `exit 0`.
constexpr std::array<std::string_view, 5> kKeepers{"cp", "mv", "tar", "gzip", "rsync"};

enum class Follows { Nothing, Pipe, Looks, Background };

struct Operator {
  Follows what = Follows::Nothing;
  std::size_t at = 0;
};

/// What stands behind a command, its other words and redirections passed over.
Operator operator_behind(std::string_view rest) {
  char quote = '\0';
  // The place of a word may end before the quote that closes it, and within the name of a variable.
  for (std::size_t i = std::min(rest.find_first_of(" \t\n;|&)"), rest.size()); i < rest.size(); ++i) {
    const char c = rest[i];
    const char next = i + 1 < rest.size() ? rest[i + 1] : '\n';
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\\') {
      ++i;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '\n' || c == ';' || c == ')') {
      return {Follows::Nothing, i};
    } else if (c == '|') {
      return {next == '|' ? Follows::Looks : Follows::Pipe, i};
    } else if (c == '&') {
      if (next == '&') return {Follows::Looks, i};
      if (next != '>' && (i == 0 || rest[i - 1] != '>')) return {Follows::Background, i};
    } else if (c == '>' && next == '&') {
      ++i;
    }
  }
  return {Follows::Nothing, rest.size()};
}

/// The command is a condition: `if srun ...; then`, `! srun ...`.
bool is_condition(std::string_view before) {
  constexpr std::array<std::string_view, 5> kAsks{"if", "elif", "while", "until", "!"};
  const std::size_t line = before.find_last_of("\n;");
  if (line != before.npos) before.remove_prefix(line + 1);
  return std::ranges::any_of(kAsks, [&](std::string_view word) {
    return trim(before).starts_with(std::string(word) + " ") || trim(before) == word;
  });
}

class Script {
 public:
  Script(FileId file, std::string_view text, const BatchBody& body, std::span<const ScriptRun> runs)
      : file_(file), text_(text), body_(body), runs_(runs) {}

  Located<std::string> run() const {
    const ScriptRun* last = nullptr;
    bool behind = false;
    for (const ScriptRun& one : runs_) {
      if (one.where.file != file_ || one.where.end > text_.size()) return {};
      if (!one.branch && !one.background && (last == nullptr || last->where.end < one.where.end)) last = &one;
      behind = behind || one.background;
    }
    ScriptRun evaluated;
    for (const BatchCommand& command : body_.commands) {
      // `eval $CMD`, `$CMD`: what it runs was found where CMD got its value.
      const bool runs = last != nullptr && !command.words.empty() &&
                        (command.words[0].text == "eval" || runs_what_is_set_at(command, last->where));
      if (!runs || command.branch || command.function || command.where.begin < last->where.end) continue;
      evaluated.where = command.where;
      last = &evaluated;
    }
    if (!body_.complete || looks(last == nullptr ? 0 : last->where.end)) return {};
    if (last != nullptr) return behind_run(last->where);
    return behind ? at_end(0, true) : Located<std::string>{};
  }

 private:
  /// Somebody asks how it went: behind `from`, or in a function, which may be called from anywhere.
  bool looks(std::size_t from) const {
    const std::string_view after = text_.substr(from);
    const auto asks = [&](std::string_view word) { return contains(after, word); };
    constexpr std::array<std::string_view, 4> kLooks{"$?", "PIPESTATUS", "|| exit", "&& exit"};
    const auto ends = [&](const BatchCommand& command) {
      return !command.words.empty() && command.words[0].text == "exit" && !is_good_end(command) &&
             (command.function || command.where.begin > from);
    };
    // A trap for anything but the end of the script decides about it.
    const auto traps = [](const BatchCommand& command) {
      return command.words.size() > 1 && command.words[0].text == "trap" && command.words.back().text != "EXIT" &&
             command.words.back().text != "0";
    };
    return std::ranges::any_of(kLooks, asks) || std::ranges::any_of(body_.commands, ends) ||
           std::ranges::any_of(body_.commands, traps);
  }

  /// Of a long one what stands around the place.
  std::string_view line_of(std::size_t place) const {
    constexpr std::size_t kReach = 1000;
    const std::size_t from = place - std::min(place, kReach);
    const std::size_t begin = from + (text_.substr(from, place - from).rfind('\n') + 1);  // npos + 1 is 0
    const std::string_view behind = text_.substr(begin, 2 * kReach);
    return behind.substr(0, behind.find('\n', std::min(place - begin, behind.size())));
  }

  /// Whether what a command runs stands at a place above, where the variable got its value that begins the command.
  bool runs_what_is_set_at(const BatchCommand& command, const Span& where) const {
    const ShellValue& first = command.words[0];
    const std::string name = first.mark();
    if (name.empty() && (first.at.empty() || first.at.front() >= command.where.begin)) return false;
    const std::string_view line = trim(line_of(where.begin));
    if (!name.empty()) return line.starts_with(name) && line.substr(name.size()).starts_with('=');
    return line_of(first.at.front()).data() == line_of(where.begin).data();
  }

  static bool is_good_end(const BatchCommand& command) {
    return command.words.size() == 2 && command.words[0].text == "exit" && command.words[1].text == "0";
  }

  Located<std::string> behind_run(const Span& where) const {
    if (is_condition(text_.substr(0, where.begin))) return {};
    const auto [follows, at] = operator_behind(text_.substr(where.end));
    if (follows == Follows::Looks || follows == Follows::Background) return {};
    const bool lost_in_pipe = follows == Follows::Pipe && find_in_script(text_, "pipefail") == text_.npos;
    // What a shell among its words does, `apptainer exec x.sif sh -c 'echo ...'`, is part of the run.
    if (!lost_in_pipe) return strict(where.begin) ? Located<std::string>{} : at_end(where.end + at, false);
    const BatchCommand* tee = first_behind(where.end);
    if (tee == nullptr || tee->words[0].text != "tee") return {};
    if (strict(where.begin)) return found(*tee);
    const Located<std::string> end = at_end(tee->where.end, false);
    return end.is_set() || last_command() != tee ? end : found(*tee);
  }

  /// All that runs behind `from` is harmless, and something does. `waits`: in the background are those that count.
  Located<std::string> at_end(std::size_t from, bool waits) const {
    const BatchCommand* last = nullptr;
    bool waited = !waits;
    const bool good = last_command() != nullptr && is_good_end(*last_command()) && !last_command()->branch;
    for (const BatchCommand& command : body_.commands) {
      if (command.function || command.where.begin < from || command.words.empty() || command.background) continue;
      if (command.where.file != file_) return {};
      waited = waited || command.words[0].text == "wait";
      if (!waited) continue;
      const std::string_view program = program_name(command.words[0].text);
      if (!is_one_of(program, kHarmless) && !is_good_end(command) && !(good && is_one_of(program, kKeepers))) return {};
      if (program == "scontrol" && command.words.size() > 1 && command.words[1].text == "requeue") return {};
      const bool of_one = program == "wait" && command.words.size() > 1;  // the status is that of that one
      last = of_one ? nullptr : &command;
    }
    return last == nullptr ? Located<std::string>{} : found(*last);
  }

  const BatchCommand* first_behind(std::size_t from) const {
    for (const BatchCommand& command : body_.commands) {
      if (command.where.file == file_ && command.where.begin >= from && !command.words.empty()) return &command;
    }
    return nullptr;
  }
  const BatchCommand* last_command() const { return body_.commands.empty() ? nullptr : &body_.commands.back(); }

  /// `set -e` holds at that place.
  bool strict(std::size_t at) const {
    const std::string_view shebang = text_.substr(0, text_.find('\n'));
    bool holds = shebang.starts_with("#!") && contains(shebang, " -e");
    for (const BatchCommand& command : body_.commands) {
      if (command.where.begin > at || command.words.size() < 2 || command.words[0].text != "set") continue;
      for (std::size_t i = 1; i < command.words.size(); ++i) {
        const std::string_view word = command.words[i].text;
        const bool named = word == "errexit";
        if (!named && (word.size() < 2 || !contains(word, "e") || (word[0] != '-' && word[0] != '+'))) continue;
        const std::string_view sign = named ? std::string_view(command.words[i - 1].text) : word;
        holds = sign.starts_with('-');
      }
    }
    return holds;
  }

  static Located<std::string> found(const BatchCommand& command) {
    return set_to(program_name(command.words[0].text), command.where);
  }

  FileId file_;
  std::string_view text_;
  const BatchBody& body_;
  std::span<const ScriptRun> runs_;
};

}  // namespace

Located<std::string> lost_status(FileId file, std::string_view text, const BatchBody& body,
                                 std::span<const ScriptRun> runs) {
  return Script(file, text, body, runs).run();
}

}  // namespace muster::sbatch
