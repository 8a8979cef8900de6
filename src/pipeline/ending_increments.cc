#include "pipeline/ending_increments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/here_documents.h"
#include "syntax/shell_options.h"

namespace muster {
namespace {

constexpr std::size_t kMostCounters = 3;  // of one script

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

/// What a script puts into its counters.
class CounterWords {
 public:
  explicit CounterWords(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word_char(text[end])) ++end;
      if (end > at) note(text, at, end);
      at = std::max(end, at + 1);
    }
  }

  /// Whether all of it is 0, and something is before `at`.
  bool begins_at_zero(std::string_view name, std::size_t at) const {
    const auto found = words_.find(name);
    return found != words_.end() && !found->second.other && found->second.zero < at;
  }

 private:
  struct Use {
    bool other = false;           ///< something that is not 0 is put into it
    std::size_t zero = SIZE_MAX;  ///< where 0 is, first
  };

  void note(std::string_view text, std::size_t begin, std::size_t end) {
    if (begin > 0 && (text[begin - 1] == '$' || text[begin - 1] == '{')) return;
    const std::string_view name = text.substr(begin, end - begin);
    const std::string_view before = text.substr(0, begin);
    const std::string_view behind = text.substr(end);
    constexpr std::array<std::string_view, 3> kFillers{"for ", "read ", "read -r "};
    constexpr std::array<std::string_view, 4> kChanges{"+=", " =", "-=", " +="};
    const bool filled = std::ranges::any_of(kFillers, [&](std::string_view one) { return before.ends_with(one); }) ||
                        std::ranges::any_of(kChanges, [&](std::string_view one) { return behind.starts_with(one); });
    const bool set = behind.starts_with('=') && !behind.starts_with("==");
    if (!filled && !set) return;
    Use& use = words_[name];
    const bool is_zero = behind.starts_with("=0") && (behind.size() == 2 || !is_word_char(behind[2]));
    use.other = use.other || filled || !is_zero;
    use.zero = std::min(use.zero, begin);
  }

  std::map<std::string_view, Use> words_;
};

/// A block whose end is followed by `||`, `&&` or `then`: nothing within it ends the script.
bool has_asked_block(const std::vector<TextLine>& lines) {
  constexpr std::array<std::string_view, 5> kEnds{")", "}", "done", "fi", "esac"};
  constexpr std::array<std::string_view, 4> kAsks{"||", "&&", "then", "; do"};
  return std::ranges::any_of(lines, [&](const TextLine& one) {
    const std::string_view line = trim(one.text);
    return std::ranges::any_of(kEnds, [&](std::string_view end) { return line.starts_with(end); }) &&
           std::ranges::any_of(kAsks, [&](std::string_view ask) { return contains(line, ask); });
  });
}

}  // namespace

void find_ending_increments(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                            std::vector<Finding>& findings) {
  if (!contains(text, "++") || errexit_taken_back(text, commands)) return;
  const std::string_view shebang = text.substr(0, text.find('\n'));
  const ShellCommand* set = errexit_in(commands);
  const bool from_start = contains(shebang, "bash -e") || contains(shebang, "bash -eu");
  if (set == nullptr && !from_start) return;
  const std::size_t from = set == nullptr ? 0 : set->words.front().begin;
  const std::vector<TextLine> lines = lines_of(text);
  if (has_asked_block(lines)) return;
  const CounterWords counters(text);
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
    if (contains(line, "() {") || contains(line, "(){") || trim(line).ends_with("()") ||
        trim(line).starts_with("function ")) {
      const std::string end = std::string(lines[i].indent(), ' ') + "}";
      while (i < lines.size() && lines[i].text != end && !trim(lines[i].text).ends_with("; }")) ++i;
      continue;
    }
    if (lines[i].begin < from || trim(line).starts_with('#')) continue;
    const Increment found = increment_in(line);
    if (found.name.empty() || said.contains(found.name) || ++looked > kMostIncrements ||
        !counters.begins_at_zero(found.name, lines[i].begin))
      continue;
    said.insert(found.name);
    const std::string_view words = line.substr(found.begin, found.end - found.begin);
    findings.push_back(problem("script-increment-ends", span_of_part(file, text, words),
                               "from 0 this counts as false, and `set -e` ends the script here"));
    if (set != nullptr)
      findings.back().related.push_back({{file, set->words.front().begin, set->words.back().end}, "since here"});
  }
}

}  // namespace muster
