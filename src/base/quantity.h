#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// A Kubernetes resource quantity, exact: whole units and billionths, so that 1Ei and 1m both fit.
/// Source: kubernetes/apimachinery:pkg/api/resource/quantity.go (suffixes n u m k M G T P E, Ki..Ei, decimal exponent).
/// Fractions below one billionth are rounded up, values beyond 2^63-1 are capped, both as Kubernetes does.
struct Quantity {
  std::int64_t whole = 0;
  std::int32_t nano = 0;  ///< billionths, same sign as whole

  static std::optional<Quantity> parse(std::string_view text);
  static Quantity of(std::int64_t value) { return {value, 0}; }
  /// Shortest exact decimal: "8", "0.5".
  std::string text() const;
  /// For people: "16Gi", "64", "0.5".
  std::string readable() const;
  bool is_whole() const { return nano == 0; }

  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

Quantity operator+(const Quantity& a, const Quantity& b);

/// `3 * 16`: a quantity, a sign and a quantity, for people to read.
bool is_formula(std::string_view text);

}  // namespace muster
