// Durations and timestamps: limits, arithmetic and their texts.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>

#include "base/strings.h"
#include "expr/functions.h"

namespace muster {
namespace {

__extension__ using Wide = __int128;

constexpr Wide kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kFirstSecond = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253'402'300'799;   // 9999-12-31T23:59:59Z

Wide nanos_of(const TimeData& time) { return Wide{time.seconds} * kNanosPerSecond + time.nanos; }

std::optional<TimeData> duration_of(Wide nanos) {
  if (nanos > std::numeric_limits<std::int64_t>::max() || nanos < std::numeric_limits<std::int64_t>::min())
    return std::nullopt;
  return TimeData{static_cast<std::int64_t>(nanos / kNanosPerSecond),
                  static_cast<std::int32_t>(nanos % kNanosPerSecond)};
}

std::optional<TimeData> timestamp_of(Wide nanos) {
  Wide seconds = nanos / kNanosPerSecond;
  Wide rest = nanos % kNanosPerSecond;
  if (rest < 0) {
    rest += kNanosPerSecond;
    --seconds;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return TimeData{static_cast<std::int64_t>(seconds), static_cast<std::int32_t>(rest)};
}

Value duration_value(Wide nanos, EvalContext& context) {
  const std::optional<TimeData> time = duration_of(nanos);
  return time ? Value::duration(*time)
              : make_error(context, "range error: the duration does not fit 64-bit nanoseconds");
}

Value timestamp_value(Wide nanos, EvalContext& context) {
  const std::optional<TimeData> time = timestamp_of(nanos);
  return time ? Value::timestamp(*time)
              : make_error(context, "range error: the timestamp is outside the years 1 to 9999");
}

/// ".5" for half a second, "" for a whole one.
std::string fraction(std::int32_t nanos) {
  if (nanos == 0) return "";
  std::string digits = std::to_string(nanos < 0 ? -nanos : nanos);
  digits.insert(0, 9 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return "." + digits;
}

std::string two_digits(std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
// Longest first, so that `ms` is not read as `m`. The micro sign stands for two characters of Unicode.
constexpr std::array kUnits{
    Unit{"ns", 1},         Unit{"us", 1'000},        Unit{"\xc2\xb5s", 1'000},  Unit{"\xce\xbcs", 1'000},
    Unit{"ms", 1'000'000}, Unit{"s", 1'000'000'000}, Unit{"m", 60'000'000'000}, Unit{"h", 3'600'000'000'000}};

/// Reads digits at the front of `text` into a number of at most 10^18; further digits of a fraction do not count.
struct Digits {
  Wide value = 0;
  Wide scale = 1;
  std::size_t count = 0;
};
Digits take_digits(std::string_view& text) {
  constexpr Wide kMost = 1'000'000'000'000'000'000;
  Digits out;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    if (out.scale < kMost) {
      out.value = out.value * 10 + (text.front() - '0');
      out.scale *= 10;
    } else {
      out.value = std::max(out.value, kMost);  // too large for any duration
    }
    ++out.count;
    text.remove_prefix(1);
  }
  return out;
}

/// A number of exactly `count` digits at the front of `text`, followed by `then` unless that is 0.
std::optional<int> take_number(std::string_view& text, std::size_t count, char then) {
  if (text.size() < count + (then != 0 ? 1 : 0)) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  if (then != 0 && text[count] != then) return std::nullopt;
  text.remove_prefix(count + (then != 0 ? 1 : 0));
  return value;
}

/// `Z` or `+02:00`: seconds east of Greenwich.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const bool west = text.front() == '-';
  text.remove_prefix(1);
  const std::optional<int> hours = take_number(text, 2, ':');
  const std::optional<int> minutes = hours ? take_number(text, 2, 0) : std::nullopt;
  if (!minutes || !text.empty() || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return west ? -seconds : seconds;
}

}  // namespace

Value make_duration(std::int64_t seconds, std::int64_t nanos, EvalContext& context) {
  return duration_value(Wide{seconds} * kNanosPerSecond + nanos, context);
}

Value make_timestamp(std::int64_t seconds, std::int64_t nanos, EvalContext& context) {
  return timestamp_value(Wide{seconds} * kNanosPerSecond + nanos, context);
}

Value add_times(const Value& a, const Value& b, EvalContext& context) {
  const Wide sum = nanos_of(a.as_time()) + nanos_of(b.as_time());
  const bool point = a.is(Value::Kind::Timestamp) || b.is(Value::Kind::Timestamp);
  return point ? timestamp_value(sum, context) : duration_value(sum, context);
}

Value subtract_times(const Value& a, const Value& b, EvalContext& context) {
  const Wide difference = nanos_of(a.as_time()) - nanos_of(b.as_time());
  const bool point = a.is(Value::Kind::Timestamp) && b.is(Value::Kind::Duration);
  return point ? timestamp_value(difference, context) : duration_value(difference, context);
}

std::string duration_text(const TimeData& time) {
  const bool minus = time.seconds == 0 && time.nanos < 0;
  return (minus ? "-0" : std::to_string(time.seconds)) + fraction(time.nanos) + "s";
}

std::string timestamp_text(const TimeData& time) {
  const std::chrono::sys_seconds point{std::chrono::seconds(time.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const std::int64_t second = (point - day).count();
  std::string year = std::to_string(static_cast<int>(date.year()));
  year.insert(0, 4 - std::min<std::size_t>(4, year.size()), '0');
  return year + "-" + two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day())) + "T" + two_digits(second / 3600) + ":" +
         two_digits(second / 60 % 60) + ":" + two_digits(second % 60) + fraction(time.nanos) + "Z";
}

std::optional<TimeData> parse_duration(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return TimeData{};
  if (text.empty()) return std::nullopt;
  Wide total = 0;
  while (!text.empty()) {
    const Digits whole = take_digits(text);
    Digits part;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      part = take_digits(text);
    }
    const auto unit = std::ranges::find_if(kUnits, [&](const Unit& known) { return text.starts_with(known.name); });
    if (whole.count + part.count == 0 || unit == kUnits.end()) return std::nullopt;
    total += whole.value * unit->nanos + part.value * unit->nanos / part.scale;
    if (total > Wide{1} << 70) return std::nullopt;
    text.remove_prefix(unit->name.size());
  }
  return duration_of(minus ? -total : total);
}

std::optional<TimeData> parse_timestamp(std::string_view text) {
  const std::optional<int> year = take_number(text, 4, '-');
  const std::optional<int> month = year ? take_number(text, 2, '-') : std::nullopt;
  const std::optional<int> day = month ? take_number(text, 2, 'T') : std::nullopt;
  const std::optional<int> hour = day ? take_number(text, 2, ':') : std::nullopt;
  const std::optional<int> minute = hour ? take_number(text, 2, ':') : std::nullopt;
  const std::optional<int> second = minute ? take_number(text, 2, 0) : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  Wide nanos = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const Digits part = take_digits(text);
    if (part.count == 0) return std::nullopt;
    nanos = part.value * kNanosPerSecond / part.scale;
  }
  const std::optional<std::int64_t> offset = parse_offset(text);
  if (!offset) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const Wide seconds = Wide{days} * 86400 + *hour * 3600 + *minute * 60 + *second - *offset;
  return timestamp_of(seconds * kNanosPerSecond + nanos);
}

}  // namespace muster
