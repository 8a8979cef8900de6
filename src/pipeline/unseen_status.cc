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

std::string unseen() { return "a command that fails ends the script: when this is read, the status is 0"; }

}  // namespace

void find_unseen_status(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings) {
  if (contains(text, "trap ") || errexit_taken_back(text, commands)) return;
  const ShellCommand* set = errexit_in(commands);
  if (set == nullptr) return;
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
