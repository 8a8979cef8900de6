#include "pipeline/unseen_status.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/cut_text.h"
#include "syntax/shell_options.h"

namespace muster {
namespace {

constexpr std::string_view kUnseenStatus = "script-status-never-seen";

/// `if [ $? -ne 0 ]; then`: where its `$?` stands; npos: it is none.
std::size_t asked_status(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos || !line.substr(begin).starts_with("if [")) return line.npos;
  const std::size_t at = line.find("$?");
  if (at == line.npos || line.substr(begin + 3, at - begin - 3).find_first_not_of("[ \"") != line.npos)
    return line.npos;
  const std::string_view behind = trim(line.substr(at + 2 + (line.substr(at + 2).starts_with('"') ? 1 : 0)));
  constexpr std::array<std::string_view, 6> kAsk{"-ne 0", "-eq 0", "!= 0", "== 0", "= 0", "-gt 0"};
  return std::ranges::any_of(kAsk, [&](std::string_view one) { return behind.starts_with(one); }) ? at : line.npos;
}

/// Whether a line is a command alone whose failure ends the script.
bool ends_when_it_fails(std::string_view line) {
  constexpr std::array<std::string_view, 22> kOthers{
      "if",   "elif", "else", "fi", "then",  "while", "until", "for",    "do",   "done",   "case",
      "esac", "!",    "{",    "}",  "local", "echo",  "set",   "export", "trap", "return", "declare"};
  constexpr std::array<std::string_view, 8> kSigns{"||", "&&", "|", ";", "set +", "`", "if ", "<<"};
  line = trim(line);
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.empty() || std::ranges::find(kOthers, words.front()) != kOthers.end()) return false;
  if (line.ends_with('&') || line.ends_with('{') || line.ends_with('(')) return false;
  return std::ranges::none_of(kSigns, [&](std::string_view sign) { return contains(line, sign); });
}

/// Whether something other than messages stands before `exit $CODE`, which a failure never comes to either.
bool works_before_exit(std::string_view behind, std::string_view name) {
  constexpr std::array<std::string_view, 9> kSays{"echo", "printf", "date", "fi", "done", "then", "else", "log", "}"};
  bool works = false;
  for (const std::string_view line : split(behind, '\n')) {
    const std::string_view words = trim(line);
    if (words.starts_with("exit ")) return works && contains(words, "$") && contains(words, name);
    const std::string_view first = words.substr(0, words.find_first_of(" ;"));
    works = works || (!words.empty() && words.front() != '#' && std::ranges::find(kSays, first) == kSays.end());
  }
  return false;
}

/// `$?` of a line `CODE=$?` whose variable is asked later; npos: it is none.
std::size_t kept_status(std::string_view line, std::string_view behind) {
  const std::size_t begin = line.find_first_not_of(" \t");
  const std::size_t at = line.find("=$?");
  if (begin == line.npos || at == line.npos || !is_shell_name(line.substr(begin, at - begin))) return line.npos;
  if (const std::string_view rest = trim(line.substr(at + 3)); !rest.empty() && !rest.starts_with('#'))
    return line.npos;
  const std::string_view name = line.substr(begin, at - begin);
  const auto asks = [&](std::string_view other) {
    const std::string_view words = trim(other);
    return (words.starts_with("if [") || words.starts_with("if ((") || words.starts_with("[")) &&
           (contains(words, "$" + std::string(name)) || contains(words, "${" + std::string(name)));
  };
  return some_line_with(behind, name, asks) || works_before_exit(behind, name) ? at + 1 : line.npos;
}

/// Whether a command has an option of that letter, alone or among others.
bool has_letter(const ShellCommand& command, char letter) {
  return std::ranges::any_of(command.words, [&](const ShellWord& word) {
    const std::string_view text = plain_text(word);
    return text.starts_with('-') && !text.starts_with("--") && contains(text, std::string_view(&letter, 1));
  });
}

/// `ls *.ckpt`, `grep x file`, `command -v srun`: fails where there is nothing to be found, and shows what is found.
bool fails_without_match(const ShellCommand& command) {
  constexpr std::array<std::string_view, 5> kFinders{"grep", "egrep", "fgrep", "pgrep", "which"};
  if (command.words.empty()) return false;
  const std::string_view program = plain_text(command.words.front());
  if (std::ranges::find(kFinders, program) != kFinders.end()) {
    const bool stars = std::ranges::any_of(command.words, [](const ShellWord& word) {
      return std::ranges::any_of(word.parts, [](const ShellPart& part) { return contains(part.text, "*"); });
    });
    // `-v` lets empty lines through, `-o` shows the empty match of `x*`, `-q` nothing.
    return !contains(program, "grep") ||
           (!has_letter(command, 'v') && !has_letter(command, 'q') && !(stars && has_letter(command, 'o')));
  }
  if (program == "command") return command.words.size() > 2 && plain_text(command.words[1]) == "-v";
  // Of a folder that is empty ls shows nothing: files, by their ending, or `-d`.
  const bool folders = has_letter(command, 'd');
  return program == "ls" && std::ranges::any_of(command.words, [&](const ShellWord& word) {
           bool star = false;
           bool ending = folders;
           for (const ShellPart& part : word.parts) {
             if (part.kind != ShellPart::Kind::Text) continue;
             const std::size_t at = part.quoted ? std::string::npos : part.text.rfind('*');
             if (at != std::string::npos) ending = folders;
             star = star || at != std::string::npos;
             ending = ending || (star && contains(part.text.substr(at == std::string::npos ? 0 : at), "."));
           }
           return star && ending;
         });
}

/// Whether of a pipeline some program finds nothing, and those behind it leave what is found.
bool pipeline_without_match(std::string_view pipeline) {
  constexpr std::array<std::string_view, 6> kLeave{"cat", "head", "sort", "tail", "tee", "uniq"};
  const std::vector<ShellCommand> commands = read_shell(pipeline);
  const auto finder = std::ranges::find_if(commands, fails_without_match);
  return finder != commands.end() && std::all_of(finder + 1, commands.end(), [&](const ShellCommand& one) {
           return !one.words.empty() && (std::ranges::find(kLeave, plain_text(one.words.front())) != kLeave.end() ||
                                         fails_without_match(one));
         });
}

/// NAME of a line `NAME=$(ls *.ckpt)`, which ends the script where nothing is found; empty: it is another command.
/// `pipes`: so does a pipeline of which one program fails.
std::string_view ends_without_match(std::string_view text, const ShellCommand& command, bool pipes) {
  if (command.words.size() != 1 || command.function || command.subshell || command.background) return {};
  const ShellWord& word = command.words.front();
  const std::vector<const ShellPart*> parts = written_parts(word);
  const std::string_view name = assigned_name(word);
  if (name.empty() || parts.size() != 2 || parts[0]->text.size() != name.size() + 1 ||
      parts[1]->kind != ShellPart::Kind::Command || parts[1]->text.find_first_of(";&\n") != std::string::npos)
    return {};
  if (contains(parts[1]->text, "||") || (!pipes && contains(parts[1]->text, "|"))) return {};
  std::size_t before = word.begin;
  while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
  const std::size_t behind = text.find_first_not_of(" \t", word.end);
  const bool alone =
      (before == 0 || text[before - 1] == '\n') && (behind == text.npos || text[behind] == '\n' || text[behind] == '#');
  return alone && pipeline_without_match(parts[1]->text) ? name : std::string_view();
}

/// `[ -z "$NAME" ]`
bool asks_whether_empty(const ShellCommand& command, std::string_view name) {
  const std::vector<ShellWord>& words = command.words;
  if (words.size() != 4 || (plain_text(words[0]) != "[" && plain_text(words[0]) != "[[") ||
      plain_text(words[1]) != "-z")
    return false;
  const std::vector<const ShellPart*> parts = written_parts(words[2]);
  return parts.size() == 1 && parts[0]->kind == ShellPart::Kind::Variable && parts[0]->text == name &&
         parts[0]->rest.empty();
}

/// What `set` lets nobody come to: the test that follows at once. One finding a script.
void find_unseen_absence(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         const ShellCommand& set, std::vector<Finding>& findings) {
  if (contains(text, "nullglob")) return;
  bool pipes = false;
  const bool off = contains(text, "+o pipefail");
  for (std::size_t i = 0; i + 1 < commands.size(); ++i) {
    if (!off && surely_runs(commands[i]) && option_set_by(commands[i], '\0', "pipefail") == true) pipes = true;
    if (commands[i].words.empty() || commands[i].words.front().begin < set.words.front().begin) continue;
    const std::string_view name = ends_without_match(text, commands[i], pipes);
    if (name.empty() || !asks_whether_empty(commands[i + 1], name)) continue;
    const std::uint32_t from = commands[i].words.front().end;
    const std::string_view between = text.substr(from, commands[i + 1].words.front().begin - from);
    if (std::ranges::count(between, '\n') > 5) continue;
    findings.push_back(problem(kUnseenStatus, {file, commands[i + 1].words[1].begin, commands[i + 1].words[2].end},
                               "where nothing is found the command above fails and ends the script: `" +
                                   std::string(name) + "` is never empty here"));
    findings.back().related.push_back({{file, set.words.front().begin, set.words.back().end}, "since here"});
    return;
  }
}

/// What stands from a place to the end of its line, of a long one the beginning.
std::string_view line_from(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongest = 500;
  const std::string_view all = text.substr(begin, kLongest);
  return all.substr(0, all.find('\n'));
}

/// `$?` of a line that asks for the status of the command before; npos: it does not.
std::size_t status_asked_at_once(std::string_view line) {
  constexpr std::array<std::string_view, 7> kBegin{"if [",    "[",           "if ((",    "return $?",
                                                   "exit $?", "return \"$?", "exit \"$?"};
  std::string_view words = trim(line);
  for (const std::string_view declares : {"local ", "declare ", "export ", "readonly "}) {
    if (words.starts_with(declares)) words = trim(words.substr(declares.size()));
  }
  // Of another command that stands before it in the line.
  constexpr std::array<std::string_view, 7> kAnother{";", "&&", "||", "|", "then", "$(", "`"};
  const std::string_view before = words.substr(0, words.find("$?"));
  if (std::ranges::any_of(kAnother, [&](std::string_view one) { return contains(before, one); })) return line.npos;
  const std::size_t sign = words.find("=$?");
  const bool kept = sign != words.npos && is_shell_name(words.substr(0, sign));
  if (!kept && std::ranges::none_of(kBegin, [&](std::string_view one) { return words.starts_with(one); }))
    return line.npos;
  return line.find("$?");
}

std::string unseen() { return "a command that fails ends the script: when this is read, the status is 0"; }

}  // namespace

void find_unseen_status(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings) {
  if (contains(text, "trap ") || errexit_taken_back(text, commands)) return;
  const ShellCommand* set = errexit_in(commands);
  if (set == nullptr) return;
  find_unseen_absence(file, text, commands, *set, findings);
  std::map<std::size_t, const ShellCommand*> by_begin;
  for (const ShellCommand& command : commands) {
    if (!command.words.empty()) by_begin[command.words.front().begin] = &command;
  }
  const auto at = [&](const TextLine& line, std::size_t offset) -> const ShellCommand* {
    const auto found = by_begin.find(line.begin + offset);
    return found == by_begin.end() || found->second->function || found->second->subshell ? nullptr : found->second;
  };
  constexpr int kMostKept = 50;
  int looked = 0;
  const std::vector<TextLine> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t asked = asked_status(lines[i].text);
    const bool kept = asked == std::string_view::npos;
    if (kept && (!contains(lines[i].text, "=$?") || ++looked > kMostKept)) continue;
    const std::size_t sign =
        kept ? kept_status(lines[i].text, text.substr(lines[i].begin + lines[i].text.size())) : asked;
    if (sign == std::string_view::npos || lines[i].begin < set->words.front().begin) continue;
    if (at(lines[i], kept ? lines[i].text.find_first_not_of(" \t") : lines[i].text.find('[')) == nullptr) continue;
    std::size_t above = i - 1;
    // Behind `fi` it is the status of what the branch ended with.
    const auto is_passed = [&](const TextLine& line) {
      return line.blank() || trim(line.text).starts_with('#') || (kept && trim(line.text) == "fi");
    };
    while (above > 0 && is_passed(lines[above])) --above;
    bool alone = !trim(lines[above].text).ends_with('\\') && ends_when_it_fails(lines[above].text);
    for (; above > 0 && trim(lines[above - 1].text).ends_with('\\'); --above)
      alone = alone && ends_when_it_fails(lines[above - 1].text);
    if (above > 0) {
      const std::string_view before = trim(lines[above - 1].text);
      alone = alone && !before.ends_with('|') && !before.ends_with("&&");
    }
    if (!alone || lines[above].begin <= set->words.front().begin) continue;
    if (at(lines[above], lines[above].text.find_first_not_of(" \t")) == nullptr) continue;
    const auto begin = lines[i].begin + static_cast<std::uint32_t>(sign);
    findings.push_back(problem(kUnseenStatus, {file, begin, begin + 2}, unseen()));
    findings.back().related.push_back({{file, set->words.front().begin, set->words.back().end}, "since here"});
    return;
  }
}

void find_status_of_declarations(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                                 std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 5> kDeclare{"declare", "export", "local", "readonly", "typeset"};
  constexpr int kMostSaid = 10;
  if (!contains(text, "$?")) return;
  int said = 0;
  for (const ShellCommand& command : commands) {
    if (command.words.size() < 2 || command.here_document) continue;
    const std::string_view program = plain_text(command.words.front());
    const ShellWord& last = command.words.back();
    const bool options = std::all_of(command.words.begin() + 1, command.words.end() - 1,
                                     [](const ShellWord& word) { return plain_text(word).starts_with('-'); });
    const bool runs =
        std::ranges::any_of(last.parts, [](const ShellPart& part) { return part.kind == ShellPart::Kind::Command; });
    if (std::ranges::find(kDeclare, program) == kDeclare.end() || !options || !runs || assigned_name(last).empty())
      continue;
    std::size_t begin = last.end;
    std::string_view line = line_from(text, begin);
    if (trim(line).starts_with(';')) {
      const std::size_t sign = line.find(';') + 1;
      begin += sign;
      line.remove_prefix(sign);
    } else {
      const auto says_nothing = [](std::string_view one) { return trim(one).empty() || trim(one).front() == '#'; };
      while (says_nothing(line) && begin + line.size() + 1 < text.size() && text[begin + line.size()] == '\n') {
        begin += line.size() + 1;
        line = line_from(text, begin);
      }
      if (begin == last.end) continue;
    }
    const std::size_t sign = status_asked_at_once(line);
    if (sign == line.npos) continue;
    const auto at = static_cast<std::uint32_t>(begin + sign);
    findings.push_back(
        problem("script-status-of-declaration", {file, at, at + 2},
                "`$?` is here the status of `" + std::string(program) + "`, which is 0 whatever became of `$(...)`"));
    findings.back().related.push_back({{file, command.words.front().begin, last.end}, "what it speaks of"});
    if (++said == kMostSaid) return;
  }
}

void find_unseen_status_of_items(FileId file, std::string_view text, std::vector<Finding>& findings) {
  if (!contains(text, "$?") || contains(text, "shell:") || contains(text, "trap ") || errexit_taken_back(text, {}))
    return;
  const auto item = [](std::string_view line) {
    const std::string_view words = trim(line);
    return words.starts_with("- ") ? trim(words.substr(2)) : std::string_view();
  };
  const std::vector<TextLine> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view asks = item(lines[i].text);
    const std::string_view before = item(lines[i - 1].text);
    if (asked_status(asks) == std::string_view::npos || before.empty() || before.starts_with('|') ||
        !ends_when_it_fails(before) || lines[i].indent() != lines[i - 1].indent())
      continue;
    const auto begin = lines[i].begin + static_cast<std::uint32_t>(lines[i].text.find("$?"));
    findings.push_back(problem(kUnseenStatus, {file, begin, begin + 2}, unseen()));
    return;
  }
}

}  // namespace muster
