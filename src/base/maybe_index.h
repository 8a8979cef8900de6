#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/check.h"

namespace muster {

/// A place in a list, or none, as std::optional<std::size_t> in a quarter of its room.
class MaybeIndex {
 public:
  MaybeIndex() = default;
  MaybeIndex(std::nullopt_t) {}
  MaybeIndex(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {
    MUSTER_CHECK(index < kNone, "a list is longer than an index of it can say");
  }
  MaybeIndex(std::optional<std::size_t> index) : MaybeIndex(index ? MaybeIndex(*index) : MaybeIndex()) {}

  explicit operator bool() const { return has_value(); }
  operator std::optional<std::size_t>() const { return has_value() ? std::optional(**this) : std::nullopt; }
  bool has_value() const { return index_ != kNone; }
  std::size_t operator*() const { return index_; }
  std::size_t value_or(std::size_t other) const { return has_value() ? **this : other; }
  friend bool operator==(MaybeIndex a, MaybeIndex b) { return a.index_ == b.index_; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = kNone;
};

}  // namespace muster
