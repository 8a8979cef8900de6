#include "syntax/script_text.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

std::size_t find_in_script(std::string_view script, std::string_view text, std::size_t from) {
  for (std::size_t at = script.find(text, from); at != script.npos; at = script.find(text, at + 1)) {
    const std::size_t line = at == 0 ? 0 : script.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view before = trim(script.substr(line, at - line));
    if (!before.starts_with('#') || (line == 0 && before.starts_with("#!"))) return at;
    at = std::min(script.find('\n', at), script.size() - 1);
  }
  return script.npos;
}

}  // namespace muster
