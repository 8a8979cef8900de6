#include "pipeline/ending_increments.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/here_documents.h"
#include "syntax/shell_options.h"

namespace muster {
namespace {

constexpr std::size_t kMostCounters = 3;  // of one script
constexpr int kMostCounterPlaces = 200;   // at which one name stands

/// `total` of a line with `((total++))` or `let total++` as a command of its own.
struct Increment {
  std::string_view name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::string_view counter_name(std::string_view words) {
  words = trim(words);
  return words.ends_with("++") && is_shell_name(words.substr(0, words.size() - 2)) ? words.substr(0, words.size() - 2)
                                                                                   : std::string_view();
}

/// Whether a command may begin behind these words of its line, and is no condition there.
bool begins_command(std::string_view before) {
  constexpr std::array<std::string_view, 6> kBefore{"then", "do", "else", "&&", ";", "{"};
  constexpr std::array<std::string_view, 4> kConditions{"if ", "elif ", "while ", "until "};
  before = trim(before);
  if (before.empty()) return true;
  if (std::ranges::none_of(kBefore, [&](std::string_view word) { return before.ends_with(word); })) return false;
  const bool asked = std::ranges::any_of(kConditions, [&](std::string_view word) { return before.starts_with(word); });
  return !asked || before.ends_with("then") || before.ends_with("do");
}

/// Whether nothing behind it, `|| true` above all, takes its status.
bool ends_command(std::string_view behind) {
  behind = trim(behind);
  return behind.empty() || behind.starts_with('#') || behind.starts_with(';') || behind.starts_with('}');
}

Increment increment_in(std::string_view line) {
  const std::size_t open = line.find("((");
  const std::size_t close = open == line.npos ? open : line.find("))", open);
  if (close != line.npos && (open == 0 || line[open - 1] != '$')) {
    const std::string_view name = counter_name(line.substr(open + 2, close - open - 2));
    if (!name.empty() && begins_command(line.substr(0, open)) && ends_command(line.substr(close + 2)))
      return {name, open, close + 2};
  }
  const std::size_t let = line.find("let ");
  if (let == line.npos || !begins_command(line.substr(0, let))) return {};
  const std::string_view word = trim(line.substr(let + 4, line.find_first_of(";#", let) - let - 4));
  const bool quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
  const std::string_view name = counter_name(quoted ? word.substr(1, word.size() - 2) : word);
  return name.empty() ? Increment{} : Increment{name, let, let + 4 + word.size()};
}

/// Whether all that a script ever puts into the variable is 0, and something does before `at`.
bool begins_at_zero(std::string_view text, std::string_view name, std::size_t at) {
  bool zero = false;
  int looked = 0;
  for (std::size_t i = text.find(name); i != text.npos; i = text.find(name, i + name.size())) {
    if (++looked > kMostCounterPlaces) return false;
    const std::size_t end = i + name.size();
    const bool whole = i == 0 || (!is_word_char(text[i - 1]) && text[i - 1] != '$' && text[i - 1] != '{');
    if (!whole || (end < text.size() && is_word_char(text[end]))) continue;
    const std::string_view before = text.substr(0, i);
    const std::string_view behind = text.substr(end);
    if (before.ends_with("for ") || before.ends_with("read ") || before.ends_with("read -r ")) return false;
    if (behind.starts_with("+=") || behind.starts_with(" =") || behind.starts_with("-=") || behind.starts_with(" +="))
      return false;
    if (!behind.starts_with('=') || behind.starts_with("==")) continue;
    const bool is_zero = behind.starts_with("=0") && (behind.size() == 2 || !is_word_char(behind[2]));
    if (!is_zero) return false;
    zero = zero || i < at;
  }
  return zero;
}

}  // namespace

void find_ending_increments(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                            std::vector<Finding>& findings) {
  if (!contains(text, "++") || contains(text, "set +")) return;
  const std::string_view shebang = text.substr(0, text.find('\n'));
  const ShellCommand* set = errexit_in(commands);
  const bool from_start = contains(shebang, "bash -e") || contains(shebang, "bash -eu");
  if (set == nullptr && !from_start) return;
  const std::size_t from = set == nullptr ? 0 : set->words.front().begin;
  const std::vector<TextLine> lines = lines_of(text);
  HereDocuments here_documents(lines);
  constexpr int kMostIncrements = 100;
  int looked = 0;
  std::set<std::string_view> said;
  for (std::size_t i = 0; i < lines.size() && said.size() < kMostCounters; ++i) {
    if (const std::optional<HereDocument> here = here_documents.at(i)) {
      i = here->end;
      continue;
    }
    const std::string_view line = lines[i].text;
    // In a function it depends on who calls it: within a condition a failure ends nothing.
    if (contains(line, "() {") || contains(line, "(){") || trim(line).starts_with("function ")) {
      const std::string end = std::string(lines[i].indent(), ' ') + "}";
      while (i < lines.size() && lines[i].text != end && !trim(lines[i].text).ends_with("; }")) ++i;
      continue;
    }
    if (lines[i].begin < from || trim(line).starts_with('#')) continue;
    const Increment found = increment_in(line);
    if (found.name.empty() || said.contains(found.name) || ++looked > kMostIncrements ||
        !begins_at_zero(text, found.name, lines[i].begin))
      continue;
    said.insert(found.name);
    const auto begin = lines[i].begin + static_cast<std::uint32_t>(found.begin);
    const auto length = static_cast<std::uint32_t>(found.end - found.begin);
    findings.push_back(problem("script-increment-ends", {file, begin, begin + length},
                               "from 0 this counts as false, and `set -e` ends the script here"));
    if (set != nullptr)
      findings.back().related.push_back({{file, set->words.front().begin, set->words.back().end}, "since here"});
  }
}

}  // namespace muster
