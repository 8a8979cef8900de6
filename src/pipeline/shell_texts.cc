#include "pipeline/shell_texts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace muster {

bool begins_with_shell(std::string_view text) {
  constexpr std::array<std::string_view, 4> kShells{"sh", "bash", "dash", "ash"};
  if (!text.starts_with("#!")) return false;
  const std::vector<std::string_view> words = split_blanks(text.substr(2, text.find('\n') - 2));
  const auto is_shell = [&](std::string_view word) {
    return std::ranges::find(kShells, word.substr(word.rfind('/') + 1)) != kShells.end();
  };
  // `eval 'exec perl ...'` near the top is for a shell that reads no further.
  constexpr std::size_t kNearTop = 1000;
  if (words.empty() || contains(text.substr(0, kNearTop), "eval 'exec")) return false;
  if (is_shell(words[0])) return true;
  return words[0].ends_with("/env") && std::ranges::any_of(words, is_shell);
}

bool may_be_filled_in(std::string_view text) {
  for (const std::string_view mark : {"{%", "<%", "%{ if", "%{if", "%{ for", "%{for", "{{-", "{{/*", "{{#"}) {
    if (contains(text, mark)) return true;
  }
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t mark = line.find("{{");
    if (mark != line.npos && line.substr(0, mark).find_first_of("'\"") == line.npos) return true;
  }
  return false;
}

std::string_view command_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 2000;
  std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
  while (begin > 1 && text[begin - 2] == '\\' && at - begin < kLongest) begin = text.rfind('\n', begin - 2) + 1;
  std::size_t end = std::min(text.find('\n', at), text.size());
  while (end < text.size() && text[end - 1] == '\\' && end - at < kLongest)
    end = std::min(text.find('\n', end + 1), text.size());
  return text.substr(begin, end - begin);
}

}  // namespace muster
