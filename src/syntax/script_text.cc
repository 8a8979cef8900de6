#include "syntax/script_text.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

std::size_t find_in_script(std::string_view script, std::string_view text, std::size_t from) {
  for (std::size_t at = script.find(text, from); at != script.npos; at = script.find(text, at + 1)) {
    constexpr std::size_t kMostLine = 4096;  // what begins before that is no comment of a person
    const std::size_t from_here = at - std::min(at, kMostLine);
    const std::size_t end = script.substr(from_here, at - from_here).rfind('\n');
    if (end == script.npos && from_here > 0) return at;
    const std::size_t line = end == script.npos ? 0 : from_here + end + 1;
    const std::string_view before = trim(script.substr(line, at - line));
    if (!before.starts_with('#') || (line == 0 && before.starts_with("#!"))) return at;
    at = std::min(script.find('\n', at), script.size() - 1);
  }
  return script.npos;
}

}  // namespace muster
