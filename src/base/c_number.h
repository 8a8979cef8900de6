#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// A number as strtoull reads it with base 0: decimal, 0x10, 010, a plus before it. Nothing when it does not fit 64
/// bits or anything stands behind it.
std::optional<std::uint64_t> parse_c_number(std::string_view text);

}  // namespace muster
