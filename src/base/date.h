#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace muster {

using Date = std::chrono::sys_days;

/// 2027-01-31; nothing for what is no day of the calendar.
inline std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::optional<std::int64_t> year = parse_int(text.substr(0, 4));
  const std::optional<std::int64_t> month = parse_int(text.substr(5, 2));
  const std::optional<std::int64_t> day = parse_int(text.substr(8, 2));
  if (!year || !month || !day || *month < 0 || *day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  return date.ok() ? std::optional<Date>(date) : std::nullopt;
}

}  // namespace muster
