#pragma once

#include <cstdint>
#include <limits>

namespace muster {

/// Sums and products of counts from untrusted input stop at the largest value instead of overflowing.
inline std::int64_t add_capped(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return b > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

inline std::int64_t multiply_capped(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_mul_overflow(a, b, &out)) return out;
  return (a > 0) == (b > 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// How many of `limit`, which is positive, hold `value`.
inline std::int64_t divide_up(std::int64_t value, std::int64_t limit) {
  return value <= 0 ? value / limit : (value - 1) / limit + 1;
}

}  // namespace muster
