#include "pipeline/unseen_status.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
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

bool sets_errexit(const ShellCommand& command) {
  return !command.branch && !command.function && !command.subshell && errexit_set_by(command) == true;
}

std::string unseen() { return "a command that fails ends the script: when this is read, the status is 0"; }

}  // namespace

void find_unseen_status(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings) {
  if (contains(text, "set +") || contains(text, "trap ")) return;
  const auto set = std::ranges::find_if(commands, sets_errexit);
  if (set == commands.end()) return;
  std::map<std::size_t, const ShellCommand*> by_begin;
  for (const ShellCommand& command : commands) {
    if (!command.words.empty()) by_begin[command.words.front().begin] = &command;
  }
  const auto at = [&](const TextLine& line, std::size_t offset) -> const ShellCommand* {
    const auto found = by_begin.find(line.begin + offset);
    return found == by_begin.end() || found->second->function || found->second->subshell ? nullptr : found->second;
  };
  const std::vector<TextLine> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t sign = asked_status(lines[i].text);
    if (sign == std::string_view::npos || lines[i].begin < set->words.front().begin) continue;
    if (at(lines[i], lines[i].text.find('[')) == nullptr) continue;
    std::size_t above = i - 1;
    while (above > 0 && (lines[above].blank() || trim(lines[above].text).starts_with('#'))) --above;
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
  if (!contains(text, "$?") || contains(text, "set +") || contains(text, "shell:") || contains(text, "trap ")) return;
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
