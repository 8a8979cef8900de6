#include "pipeline/option_letters.h"

#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostLinesBetween = 5;   // of getopts and the case behind it
constexpr std::size_t kMostLabelLines = 1000;  // of a case

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

}  // namespace

void find_option_letters(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         std::vector<Finding>& findings) {
  for (const ShellCommand& command : commands) {
    std::size_t at = 0;
    while (at < command.words.size() && plain_text(command.words[at]) != "getopts") ++at;
    if (at + 2 >= command.words.size()) continue;
    const ShellWord& options = command.words[at + 1];
    const std::string_view letters = plain_text(options);
    const std::string_view name = plain_text(command.words[at + 2]);
    if (letters.empty() || name.empty() || options.end >= text.size()) continue;
    const std::vector<std::string_view> lines = split(text.substr(options.end), '\n');
    std::size_t from = 1;  // behind the line of getopts
    while (from < lines.size() && from <= kMostLinesBetween && !is_case_of(trim(lines[from]), name)) ++from;
    if (from >= lines.size() || from > kMostLinesBetween) continue;
    int depth = 1;
    for (std::size_t i = from + 1; i < lines.size() && i < from + kMostLabelLines && depth > 0; ++i) {
      const std::string_view line = trim(lines[i]);
      if (line.starts_with("case ") && !contains(line, "esac")) ++depth;
      if (line.starts_with("esac")) --depth;
      if (depth != 1) continue;
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
