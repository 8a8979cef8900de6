#include "base/natural_order.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// The run of digits at `at`, without the zeros before it.
std::string_view number_at(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  const std::string_view run = text.substr(begin, at - begin);
  return run.substr(std::min(run.find_first_not_of('0'), run.size()));
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = number_at(a, i);
      const std::string_view y = number_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (a[i] != b[j]) return a[i] < b[j];
    ++i;
    ++j;
  }
  // n1 and n01 are two nodes: the shorter first.
  if (i == a.size() && j == b.size() && a != b) return a.size() != b.size() ? a.size() < b.size() : a < b;
  return i == a.size() && j < b.size();
}

}  // namespace muster
