#include "rulebook/table_value.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/strings.h"

namespace muster {
namespace {

std::optional<double> parse_double(std::string_view text) {
  const std::string own(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(own.c_str(), &end);
  const bool good = !own.empty() && end == own.c_str() + own.size() && errno == 0 && std::isfinite(value);
  return good ? std::optional(value) : std::nullopt;
}

std::string shortest_text(double value) {
  // The shortest text that reads back as the same value.
  char buffer[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value) break;
  }
  return buffer;
}

std::optional<TableValue> next_version(const Version& version) {
  std::vector<std::int64_t> parts = version.parts();
  parts.resize(4);
  ++parts.back();
  std::string text;
  for (const std::int64_t part : parts) text += (text.empty() ? "" : ".") + std::to_string(part);
  if (std::optional<Version> next = Version::parse(text)) return *next;
  return std::nullopt;
}

constexpr std::string_view kExpected = "expected a value such as 4, >= 2, < 8 or 2..8, got `";

/// 4, >= 2, 2..8, 2.., ..8
std::optional<Range> parse_range(std::string_view text, InputType type, std::string& error) {
  const std::string shown(text);
  const auto wrong = [&](const std::string& message) {
    error = message;
    return std::optional<Range>();
  };
  const auto behind = [](const TableValue& last) { return next_after(last); };  // nothing: no end
  Range range;
  if (const std::size_t dots = text.find(".."); dots != text.npos) {
    const std::string_view low = trim(text.substr(0, dots));
    const std::string_view high = trim(text.substr(dots + 2));
    const std::optional<TableValue> last = parse_value(type, high);
    range.begin = parse_value(type, low);
    if ((!low.empty() && !range.begin) || (!high.empty() && !last) || (low.empty() && high.empty()))
      return wrong(std::string(kExpected) + shown + "`");
    if (range.begin && last && *last < *range.begin)
      return wrong("the range `" + shown + "` is empty: its ends are swapped");
    if (last) range.end = behind(*last);
    return range;
  }
  std::string_view op;
  for (const std::string_view mark : {">=", "<=", ">", "<"}) {
    if (op.empty() && text.starts_with(mark)) op = mark;
  }
  const std::optional<TableValue> value = parse_value(type, trim(text.substr(op.size())));
  if (!value) return wrong(std::string(kExpected) + shown + "`");
  if (op == ">=" || op.empty()) range.begin = value;
  if (op == "<=" || op.empty()) range.end = behind(*value);
  if (op == "<") range.end = value;
  if (op == ">") {
    range.begin = next_after(*value);
    if (!range.begin) return wrong("nothing is above `" + shown + "`");
  }
  return range;
}

}  // namespace

bool is_ordered(InputType type) {
  return type == InputType::Int || type == InputType::Double || type == InputType::Version ||
         type == InputType::Quantity;
}

std::string to_text(const TableValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return shortest_text(*number);
  if (const auto* version = std::get_if<Version>(&value)) return version->text();
  return std::get<Quantity>(value).text();
}

std::optional<TableValue> parse_value(InputType type, std::string_view text) {
  switch (type) {
    case InputType::Bool:
      if (text != "true" && text != "false") return std::nullopt;
      return std::string(text);
    case InputType::Enum:
    case InputType::String: return std::string(text);
    case InputType::Int:
      if (const std::optional<std::int64_t> value = parse_int(text)) return *value;
      return std::nullopt;
    case InputType::Double:
      if (const std::optional<double> value = parse_double(text)) return *value;
      return std::nullopt;
    case InputType::Version:
      if (std::optional<Version> value = Version::parse(text)) return std::move(*value);
      return std::nullopt;
    case InputType::Quantity:
      if (const std::optional<Quantity> value = Quantity::parse(text)) return *value;
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<TableValue> next_after(const TableValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (*number == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return *number + 1;
  }
  if (const auto* number = std::get_if<double>(&value))
    return std::nextafter(*number, std::numeric_limits<double>::infinity());
  if (const auto* version = std::get_if<Version>(&value)) return next_version(*version);
  if (const auto* quantity = std::get_if<Quantity>(&value)) {
    const Quantity next = *quantity + Quantity{0, 1};
    if (next == *quantity) return std::nullopt;
    return next;
  }
  return std::nullopt;
}

bool Cell::allows(const TableValue& value) const {
  bool named = false;
  if (const auto* word = std::get_if<std::string>(&value)) {
    named = std::ranges::find(words, *word) != words.end();
  } else {
    named = std::ranges::any_of(ranges, [&](const Range& range) {
      return (!range.begin || !(value < *range.begin)) && (!range.end || value < *range.end);
    });
  }
  return named != negated;
}

std::optional<Cell> parse_cell(const std::vector<std::string>& texts, InputType type, std::string& error) {
  Cell cell;
  cell.text = texts.size() == 1 ? texts.front() : "[" + join(texts, ", ") + "]";
  if (texts.empty()) {
    error = "an empty list allows nothing, so that the row never matches";
    return std::nullopt;
  }
  std::size_t negations = 0;
  for (const std::string& item : texts) {
    std::string_view text = trim(item);
    if (text.starts_with('!')) {
      ++negations;
      text = trim(text.substr(1));
    }
    if (!is_ordered(type)) {
      cell.words.emplace_back(text);
      continue;
    }
    std::optional<Range> range = parse_range(text, type, error);
    if (!range) return std::nullopt;
    cell.ranges.push_back(std::move(*range));
  }
  if (negations != 0 && negations != texts.size()) {
    error = "a list negates all of its items or none";
    return std::nullopt;
  }
  cell.negated = negations != 0;
  return cell;
}

}  // namespace muster
