#include "rulebook/box.h"

#include <algorithm>

namespace muster {

bool is_empty(const Box& box) {
  return std::ranges::any_of(box, [](std::uint64_t cells) { return cells == 0; });
}

Box intersection(const Box& a, const Box& b) {
  Box out(a.size());
  for (std::size_t d = 0; d < a.size(); ++d) out[d] = a[d] & b[d];
  return out;
}

std::vector<Box> difference(const Box& a, const Box& b) {
  std::vector<Box> out;
  if (is_empty(intersection(a, b))) return {a};
  // Peel one dimension at a time: what differs in d and agrees before it.
  Box rest = a;
  for (std::size_t d = 0; d < a.size(); ++d) {
    Box piece = rest;
    piece[d] = rest[d] & ~b[d];
    if (!is_empty(piece)) out.push_back(piece);
    rest[d] &= b[d];
  }
  return out;
}

bool meet_except(const Box& a, const Box& b, std::size_t except) {
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (d != except && (a[d] & b[d]) == 0) return false;
  }
  return true;
}

}  // namespace muster
