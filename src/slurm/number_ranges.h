#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace muster {

/// Numbers from the first to the second, both included.
using NumberRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// A list of cores or CPUs such as 0-47,96 or [0-95]; nothing where there is anything else in it.
NumberRanges number_ranges(std::string_view list);

/// The same numbers in order, none twice, in as few ranges as there can be.
NumberRanges merged(NumberRanges ranges);

/// -1: none.
std::int64_t highest_of(const NumberRanges& ranges);

}  // namespace muster
