#include <algorithm>
#include <chrono>
#include <string>

#include "base/strings.h"
#include "expr/function_tables.h"
#include "expr/time_zone.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

Value to_timestamp(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Timestamp)) return in[0];
  if (in[0].is(Kind::Int)) return make_timestamp(in[0].as_int(), 0, context);
  if (!in[0].is(Kind::String)) return no_overload(context, "timestamp", in);
  const std::optional<TimeData> time = parse_timestamp(in[0].as_text());
  return time ? Value::timestamp(*time)
              : make_error(
                    context,
                    to_literal(in[0]) +
                        " is not a timestamp such as 2027-01-31T12:00:00Z, or outside the range of years 1 to 9999");
}

Value to_duration(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Duration)) return in[0];
  if (!in[0].is(Kind::String)) return no_overload(context, "duration", in);
  const std::optional<TimeData> time = parse_duration(in[0].as_text());
  return time ? Value::duration(*time)
              : make_error(context, to_literal(in[0]) +
                                        " is not a duration such as 1h30m, or outside the range of 64-bit nanoseconds");
}

enum class Part { Year, Month, Date, DayOfMonth, DayOfWeek, DayOfYear, Hours, Minutes, Seconds, Milliseconds };

std::int64_t calendar_part(Part part, std::int64_t seconds, std::int32_t nanos) {
  const std::chrono::sys_seconds point{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const std::int64_t second = (point - day).count();
  switch (part) {
    case Part::Year: return static_cast<int>(date.year());
    case Part::Month: return static_cast<std::int64_t>(static_cast<unsigned>(date.month())) - 1;
    case Part::Date: return static_cast<std::int64_t>(static_cast<unsigned>(date.day()));
    case Part::DayOfMonth: return static_cast<std::int64_t>(static_cast<unsigned>(date.day())) - 1;
    case Part::DayOfWeek: return static_cast<std::int64_t>(std::chrono::weekday(day).c_encoding());
    case Part::DayOfYear: return (day - std::chrono::sys_days(date.year() / std::chrono::January / 1)).count();
    case Part::Hours: return second / 3600;
    case Part::Minutes: return second / 60 % 60;
    case Part::Seconds: return second % 60;
    case Part::Milliseconds: return nanos / 1'000'000;
  }
  return 0;
}

/// A duration converted as a whole, but for its milliseconds, which are those behind the whole seconds.
std::int64_t duration_part(Part part, const TimeData& time) {
  if (part == Part::Hours) return time.seconds / 3600;
  if (part == Part::Minutes) return time.seconds / 60;
  return part == Part::Seconds ? time.seconds : time.nanos / 1'000'000;
}

template <Part part>
Value get(Arguments in, EvalContext& context) {
  constexpr bool kOfDurations =
      part == Part::Hours || part == Part::Minutes || part == Part::Seconds || part == Part::Milliseconds;
  if (in[0].is(Kind::Duration) && kOfDurations && in.size() == 1)
    return Value::of(duration_part(part, in[0].as_time()));
  if (!in[0].is(Kind::Timestamp) || (in.size() > 1 && !in[1].is(Kind::String)))
    return no_overload(context, "getter", in);
  std::int64_t seconds = in[0].as_time().seconds;
  if (in.size() > 1) {
    const std::optional<std::int64_t> offset = zone_offset(in[1].as_text(), seconds);
    if (!offset)
      return make_error(context,
                        "unknown time zone " + to_literal(in[1]) + ", or a named one outside the years 2000 to 2037");
    seconds += *offset;
  }
  return Value::of(calendar_part(part, seconds, in[0].as_time().nanos));
}

constexpr Overload kToTimestamp[] = {{false, {&kDynType}, &kTimestampType}};
constexpr Overload kToDuration[] = {{false, {&kDynType}, &kDurationType}};
constexpr Overload kGetDate[] = {{true, {&kTimestampType}, &kIntType},
                                 {true, {&kTimestampType, &kStringType}, &kIntType}};
constexpr Overload kGetTime[] = {{true, {&kTimestampType}, &kIntType},
                                 {true, {&kTimestampType, &kStringType}, &kIntType},
                                 {true, {&kDurationType}, &kIntType}};

constexpr Function kTimeFunctions[] = {
    {"duration", kToDuration, "a length of time such as 1h30m", to_duration},
    {"getDate", kGetDate, "day of the month, from 1", get<Part::Date>},
    {"getDayOfMonth", kGetDate, "day of the month, from 0", get<Part::DayOfMonth>},
    {"getDayOfWeek", kGetDate, "day of the week, Sunday is 0", get<Part::DayOfWeek>},
    {"getDayOfYear", kGetDate, "day of the year, from 0", get<Part::DayOfYear>},
    {"getFullYear", kGetDate, "year", get<Part::Year>},
    {"getHours", kGetTime, "hour of the day, or a duration in hours", get<Part::Hours>},
    {"getMilliseconds", kGetTime, "milliseconds behind the whole seconds", get<Part::Milliseconds>},
    {"getMinutes", kGetTime, "minute of the hour, or a duration in minutes", get<Part::Minutes>},
    {"getMonth", kGetDate, "month, from 0", get<Part::Month>},
    {"getSeconds", kGetTime, "second of the minute, or a duration in seconds", get<Part::Seconds>},
    {"timestamp", kToTimestamp, "a point in time such as 2027-01-31T12:00:00Z, or seconds since 1970", to_timestamp},
};
static_assert(std::ranges::is_sorted(kTimeFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> time_functions() { return kTimeFunctions; }

}  // namespace muster
