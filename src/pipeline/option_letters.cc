#include "pipeline/option_letters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostLinesBetween = 5;   // of getopts and the case behind it
constexpr std::size_t kMostLabelLines = 1000;  // of a case
constexpr std::size_t kMostGetopts = 100;      // getopts of a file

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c); }

/// The single letters of a line `d)`, `"d")` or `d | e)`; empty: it is no label, or has others.
std::string letters_of_label(std::string_view line) {
  const std::size_t end = line.find(')');
  if (end == line.npos) return {};
  std::string_view label = line.substr(0, end);
  if (label.starts_with('(')) label.remove_prefix(1);
  std::string out;
  for (std::string_view word : split(label, '|')) {
    word = trim(word);
    if (word.size() == 3 && (word.front() == '"' || word.front() == '\'') && word.front() == word.back())
      word = word.substr(1, 1);
    if (word.size() != 1 || !is_letter_or_digit(word.front())) return {};
    out += word.front();
  }
  return out;
}

/// Whether a line begins `case $NAME in`.
bool is_case_of(std::string_view line, std::string_view name) {
  if (!line.starts_with("case ")) return false;
  std::string plain;
  for (const char c : line.substr(5)) {
    if (c != '"' && c != '{' && c != '}' && c != ' ' && c != '\t' && c != '\r') plain += c;
  }
  return plain == "$" + std::string(name) + "in";
}

/// How many more a line begins of `case` than it ends, also behind `a) `, `; ` and `then`.
int depth_of(std::string_view line) {
  constexpr std::array<std::string_view, 6> kBefore{"&&", "do", "else", "then", "{", "||"};
  int depth = 0;
  std::string_view before = ";";
  for (const std::string_view word : split_blanks(line)) {
    if (word.starts_with('#')) break;
    const bool begins = before.ends_with(';') || before.ends_with(')') || before.ends_with('(') ||
                        std::ranges::find(kBefore, before) != kBefore.end();
    if (begins && word == "case") ++depth;
    const bool ends = word.starts_with("esac") && (word.size() == 4 || !is_word_char(word[4]));
    if (begins && ends) --depth;
    before = word;
  }
  return depth;
}

/// The lines of a text, one after the other: who needs a few of them does not split all of it.
class NextLines {
 public:
  explicit NextLines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

 private:
  std::string_view rest_;
};

/// Goes on to behind the `case` of the option that getopts has found.
bool finds_case(NextLines& lines, std::string_view name) {
  static_cast<void>(lines.next());  // that of getopts
  for (std::size_t i = 0; i < kMostLinesBetween; ++i) {
    const std::optional<std::string_view> line = lines.next();
    if (!line) return false;
    if (is_case_of(trim(*line), name)) return true;
  }
  return false;
}

}  // namespace

void find_option_letters(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         std::vector<Finding>& findings) {
  std::size_t asked = 0;
  for (const ShellCommand& command : commands) {
    std::size_t at = 0;
    while (at < command.words.size() && plain_text(command.words[at]) != "getopts") ++at;
    if (at + 2 >= command.words.size()) continue;
    const ShellWord& options = command.words[at + 1];
    const std::string_view letters = plain_text(options);
    const std::string_view name = plain_text(command.words[at + 2]);
    if (letters.empty() || name.empty() || options.end >= text.size()) continue;
    if (++asked > kMostGetopts) return;
    NextLines lines(text.substr(options.end));
    if (!finds_case(lines, name)) continue;
    int depth = 1;
    for (std::size_t i = 0; i < kMostLabelLines && depth > 0; ++i) {
      const std::optional<std::string_view> whole = lines.next();
      if (!whole) break;
      const std::string_view line = trim(*whole);
      const bool outer = depth == 1;
      depth += depth_of(line);
      if (!outer) continue;
      for (const char letter : letters_of_label(line)) {
        if (letters.find(letter) != letters.npos) continue;
        const auto begin = static_cast<std::uint32_t>(line.data() - text.data());
        const auto end = begin + static_cast<std::uint32_t>(line.find(')') + 1);
        findings.push_back(problem("script-option-not-taken", {file, begin, end},
                                   "`getopts " + std::string(letters) + "` takes no `-" + letter + "`"));
        findings.back().related.push_back({{file, options.begin, options.end}, "the options that it takes"});
      }
    }
  }
}

}  // namespace muster
