#include "slurm/number_ranges.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

NumberRanges number_ranges(std::string_view list) {
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  NumberRanges out;
  for (const std::string_view piece : split(list, ',')) {
    const std::size_t dash = piece.find('-');
    const std::optional<std::int64_t> low = parse_int(piece.substr(0, dash));
    const std::optional<std::int64_t> high = dash == piece.npos ? low : parse_int(piece.substr(dash + 1));
    if (!low || !high || *low < 0 || *high < 0) return {};
    out.emplace_back(*low, *high);
  }
  return out;
}

NumberRanges merged(NumberRanges ranges) {
  std::erase_if(ranges, [](const auto& range) { return range.first > range.second; });
  std::ranges::sort(ranges);
  NumberRanges out;
  for (const auto& [low, high] : ranges) {
    if (!out.empty() && low - 1 <= out.back().second) {
      out.back().second = std::max(out.back().second, high);
    } else {
      out.emplace_back(low, high);
    }
  }
  return out;
}

std::int64_t highest_of(const NumberRanges& ranges) {
  std::int64_t highest = -1;
  for (const auto& [low, high] : ranges) highest = std::max({highest, low, high});
  return highest;
}

}  // namespace muster
