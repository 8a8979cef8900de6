#include "base/quantity.h"

#include <array>
#include <limits>

#include "base/strings.h"

namespace muster {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kNanoPerUnit = 1'000'000'000;
constexpr Wide kMostNano = Wide{std::numeric_limits<std::int64_t>::max()} * kNanoPerUnit;

struct Suffix {
  std::string_view text;
  std::int64_t base;
  int power;
};
constexpr std::array kSuffixes{
    Suffix{"", 10, 0},     Suffix{"n", 10, -9},   Suffix{"u", 10, -6},   Suffix{"m", 10, -3},
    Suffix{"k", 10, 3},    Suffix{"M", 10, 6},    Suffix{"G", 10, 9},    Suffix{"T", 10, 12},
    Suffix{"P", 10, 15},   Suffix{"E", 10, 18},   Suffix{"Ki", 1024, 1}, Suffix{"Mi", 1024, 2},
    Suffix{"Gi", 1024, 3}, Suffix{"Ti", 1024, 4}, Suffix{"Pi", 1024, 5}, Suffix{"Ei", 1024, 6},
};

/// `scale` stepped by powers of `base`, capped; the second value is true when something was cut off below.
Wide scaled(Wide value, std::int64_t base, int power, bool& inexact) {
  for (; power > 0 && value != 0; --power) {
    if (value > kMostNano / base) return kMostNano;
    value *= base;
  }
  for (; power < 0 && value != 0; ++power) {
    inexact = inexact || value % base != 0;
    value /= base;
  }
  return value;
}

}  // namespace

std::optional<Quantity> Quantity::parse(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  Wide digits = 0;
  int exponent = 0;
  bool seen_point = false;
  bool seen_digit = false;
  bool inexact = false;
  std::size_t at = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !seen_point)); ++at) {
    if (text[at] == '.') {
      seen_point = true;
      continue;
    }
    seen_digit = true;
    if (digits > kMostNano / 10) {  // beyond any value that can be kept: only the magnitude still matters
      inexact = inexact || text[at] != '0';
      exponent += seen_point ? 0 : 1;
      continue;
    }
    digits = digits * 10 + (text[at] - '0');
    exponent -= seen_point ? 1 : 0;
  }
  if (!seen_digit) return std::nullopt;
  std::string_view suffix = text.substr(at);
  if (suffix.size() > 1 && (suffix[0] == 'e' || suffix[0] == 'E') && suffix != "Ei") {
    const std::optional<std::int64_t> power = parse_int(suffix.substr(1));
    if (!power || *power > 1000 || *power < -1000) return std::nullopt;
    exponent += static_cast<int>(*power);
    suffix = "";
  }
  for (const Suffix& known : kSuffixes) {
    if (known.text != suffix) continue;
    const bool binary = known.base == 1024;
    if (binary) digits = scaled(digits, 1024, known.power, inexact);
    Wide nano = scaled(digits, 10, exponent + 9 + (binary ? 0 : known.power), inexact);
    if (inexact && nano < kMostNano) ++nano;
    if (nano > kMostNano) nano = kMostNano;
    if (negative) nano = -nano;
    return Quantity{static_cast<std::int64_t>(nano / kNanoPerUnit), static_cast<std::int32_t>(nano % kNanoPerUnit)};
  }
  return std::nullopt;
}

std::string Quantity::text() const {
  std::string out = whole == 0 && nano < 0 ? "-0" : std::to_string(whole);
  if (nano == 0) return out;
  std::string digits = std::to_string(nano < 0 ? -nano : nano);
  digits.insert(0, 9 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return out + "." + digits;
}

std::string Quantity::readable() const {
  constexpr std::int64_t kStep = 1024;
  constexpr std::array<std::string_view, 6> kUnits{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  std::int64_t count = whole;
  std::size_t unit = 0;
  for (; nano == 0 && count != 0 && count % kStep == 0 && unit + 1 < kUnits.size(); ++unit) count /= kStep;
  // Few things are counted by 1024; what is less than 1Mi is no memory.
  return unit < 2 ? text() : std::to_string(count).append(kUnits[unit]);
}

Quantity operator+(const Quantity& a, const Quantity& b) {
  Wide sum = (Wide{a.whole} + b.whole) * kNanoPerUnit + a.nano + b.nano;
  if (sum > kMostNano) sum = kMostNano;
  if (sum < -kMostNano) sum = -kMostNano;
  return {static_cast<std::int64_t>(sum / kNanoPerUnit), static_cast<std::int32_t>(sum % kNanoPerUnit)};
}

bool is_formula(std::string_view text) {
  const std::size_t sign = text.find_first_of("*/+-", 1);
  if (sign == text.npos || sign + 1 >= text.size() || text[sign - 1] != ' ') return false;
  return Quantity::parse(trim(text.substr(0, sign))).has_value() &&
         Quantity::parse(trim(text.substr(sign + 1))).has_value();
}

}  // namespace muster
