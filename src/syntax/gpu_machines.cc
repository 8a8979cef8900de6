#include "syntax/gpu_machines.h"

#include "base/strings.h"

namespace muster {
namespace {

/// g4dn, g5, g6e, gr6, p4d, p5en, p6-b200, p6e-gb200.
bool is_gpu_family(std::string_view word) {
  const bool p = word.starts_with('p');
  if (!p && !word.starts_with('g')) return false;
  word.remove_prefix(!p && word.starts_with("gr") ? 2 : 1);
  return !word.empty() && word.front() >= (p ? '3' : '4') && word.front() <= '9';
}

bool is_family_letter(char c) { return is_word_char(c) || c == '-'; }

}  // namespace

bool names_gpu_instance(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < 12 && is_family_letter(text[begin - 1])) --begin;
    const std::string_view size = text.substr(dot + 1, text.find_first_not_of("0123456789", dot + 1) - dot - 1);
    const std::string_view behind = text.substr(dot + 1 + size.size());
    const bool sized = behind.starts_with("xlarge") || (size.empty() && behind.starts_with("metal"));
    if (sized && is_gpu_family(text.substr(begin, dot - begin))) return true;
  }
  return false;
}

}  // namespace muster
