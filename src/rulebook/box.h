#pragma once

#include <cstdint>
#include <vector>

namespace muster {

/// A part of a finite space: for each dimension the set of its cells as bits. Empty when any set is.
using Box = std::vector<std::uint64_t>;

/// Most cells a dimension can have.
inline constexpr std::size_t kMaxCells = 64;

bool is_empty(const Box& box);
Box intersection(const Box& a, const Box& b);
/// `a` without `b` as disjoint boxes; at most one a dimension.
std::vector<Box> difference(const Box& a, const Box& b);
/// Whether two boxes share a point in every dimension but `except`.
bool meet_except(const Box& a, const Box& b, std::size_t except);

}  // namespace muster
