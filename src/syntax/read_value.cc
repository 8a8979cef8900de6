#include "syntax/read_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kValueShown = 60;  // characters of a wrong value that a message repeats

template <class T>
Located<T> absent(const Node& node, FieldName field) {
  Located<T> out;
  out.where = node.key_where();
  out.field = field;
  return out;
}

template <class T>
Located<T> to_be_filled_in(const Node& node, FieldName field) {
  return unknown_until<T>("a value for `" + std::string(field) + "`", node.where(), field);
}

template <class T>
Located<T> wrong_type(const Node& node, FieldName field, std::string_view expected, std::vector<Finding>& findings) {
  findings.push_back(
      problem("field-type", node.where(),
              "`" + std::string(field) + "`: expected " + std::string(expected) + ", got " + describe(node)));
  findings.back().field = field.view();
  return to_be_filled_in<T>(node, field);
}

template <class T, class Parse>
Located<T> read(const Node& node, FieldName field, std::string_view expected, std::vector<Finding>& findings,
                Parse parse) {
  if (!node.exists() || node.is_null()) return absent<T>(node, field);
  if (node.is_scalar()) {
    if (std::optional<T> value = parse(node)) return set_to<T>(std::move(*value), node.where(), field);
    if (is_placeholder(node.text()) || is_word_for_number(node.text())) return to_be_filled_in<T>(node, field);
  } else if (node.is_mapping() && node.size() == 1 && node.key(0).is_mapping()) {
    return to_be_filled_in<T>(node, field);  // {{ x }} without quotes
  }
  return wrong_type<T>(node, field, expected, findings);
}

/// Digits of one base with a sign in front; nothing else.
std::optional<std::int64_t> parse_base(std::string_view text, bool negative, int base) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const std::uint64_t most = std::uint64_t{1} << 63;
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size() || value > most ||
      (value == most && !negative))
    return std::nullopt;
  return negative ? static_cast<std::int64_t>(0 - value) : static_cast<std::int64_t>(value);
}

/// `[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?` or with the digits behind the point, where it is a whole number.
std::optional<std::int64_t> parse_whole_float(std::string_view text, bool negative) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit > 1 || (digit == 1 && text.front() != '.') || text.find_first_not_of("0123456789.eE+-") != text.npos)
    return std::nullopt;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kMost = 9007199254740992;  // beyond 2^53 a double is no exact count
  if (error != std::errc{} || stop != text.data() + text.size() || value > kMost || value != std::floor(value))
    return std::nullopt;
  return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

/// The booleans of YAML 1.1 as Kubernetes' parser knows them. Source: kubernetes-sigs/yaml:goyaml.v2/resolve.go (1.6),
/// and kube-apiserver 1.36.3, which takes `n` for one.
std::optional<bool> yaml_bool(std::string_view text) {
  constexpr std::array<std::string_view, 11> kTrue{"y",    "Y",    "yes", "Yes", "YES", "true",
                                                   "True", "TRUE", "on",  "On",  "ON"};
  constexpr std::array<std::string_view, 11> kFalse{"n",     "N",     "no",  "No",  "NO", "false",
                                                    "False", "FALSE", "off", "Off", "OFF"};
  if (text.empty() || text.size() > 5) return std::nullopt;
  switch (text.front() | 0x20) {  // most texts begin otherwise
    case 'f':
    case 'n':
    case 'o':
    case 't':
    case 'y': break;
    default: return std::nullopt;
  }
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return std::nullopt;
}

}  // namespace

// A text in quotes is none; who writes "true" means it all the same.
std::optional<bool> bool_of(const Node& node) {
  const std::string_view text = node.text();
  if (node.style() == ScalarStyle::Plain) return yaml_bool(text);
  return text == "true" ? std::optional(true) : text == "false" ? std::optional(false) : std::nullopt;
}
bool is_true(const Node& node) { return bool_of(node) == true; }
bool is_false(const Node& node) { return bool_of(node) == false; }

// Source: go-yaml/yaml v2.4.0 and v3.0.1, resolve.go: underscores out, strconv.ParseInt in base 0, then a float; what
// is a float by then and has no fraction is written to JSON without one (sigs.k8s.io/yaml v1.4.0).
std::optional<std::int64_t> yaml_int(std::string_view text) {
  const char first = text.empty() ? ' ' : text.front();
  if (text.size() > kValueShown || !(is_digit(first) || first == '+' || first == '-' || first == '.'))
    return std::nullopt;
  std::string plain;
  std::string_view digits = text;
  if (contains(text, "_")) {
    std::ranges::remove_copy(text, std::back_inserter(plain), '_');
    digits = plain;
  }
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.starts_with('-') || digits.starts_with('+')) return std::nullopt;
  const char mark = digits.size() > 1 && digits.front() == '0' ? digits[1] : '1';
  if (mark == 'x' || mark == 'X') return parse_base(digits.substr(2), negative, 16);
  if (mark == 'o' || mark == 'O') return parse_base(digits.substr(2), negative, 8);
  if (mark == 'b' || mark == 'B') return parse_base(digits.substr(2), negative, 2);
  const bool octal = digits.size() > 1 && digits.front() == '0';
  if (const std::optional<std::int64_t> value = parse_base(digits, negative, octal ? 8 : 10)) return value;
  return parse_whole_float(digits, negative);
}

Located<std::int64_t> read_int(const Node& node, FieldName field, std::vector<Finding>& findings, IntStyle style) {
  Located<std::int64_t> value =
      read<std::int64_t>(node, field, "an integer", findings, [&](const Node& scalar) -> std::optional<std::int64_t> {
        if (style == IntStyle::QuotesToo) return parse_int(scalar.text());
        return scalar.style() == ScalarStyle::Plain ? yaml_int(scalar.text()) : std::nullopt;
      });
  if (!value.is_set() || value.value >= 0 || style == IntStyle::Signed) return value;
  return wrong_type<std::int64_t>(node, field, "an integer that is not negative", findings);
}

Located<bool> read_bool(const Node& node, FieldName field, std::vector<Finding>& findings) {
  return read<bool>(node, field, "true or false", findings, [](const Node& scalar) -> std::optional<bool> {
    if (scalar.style() == ScalarStyle::Quoted) return std::nullopt;
    return yaml_bool(scalar.text());
  });
}

Located<std::string> read_text(const Node& node, FieldName field, std::vector<Finding>& findings) {
  return read<std::string>(node, field, "a text", findings, [](const Node& scalar) -> std::optional<std::string> {
    if (is_placeholder(scalar.text())) return std::nullopt;
    return std::string(scalar.text());
  });
}

Located<double> read_double(const Node& node, FieldName field, std::vector<Finding>& findings) {
  return read<double>(node, field, "a number", findings, [](const Node& scalar) -> std::optional<double> {
    const std::string_view text = scalar.text();
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc{} && stop == text.data() + text.size() && scalar.style() == ScalarStyle::Plain;
    return good ? std::optional(value) : std::nullopt;
  });
}

Located<Quantity> read_quantity(const Node& node, FieldName field, std::vector<Finding>& findings) {
  return read<Quantity>(node, field, "a quantity such as 8 or 512Gi", findings, [](const Node& scalar) {
    const std::optional<std::int64_t> number =
        scalar.style() == ScalarStyle::Plain ? yaml_int(scalar.text()) : std::nullopt;
    return number ? std::optional(Quantity::of(*number)) : Quantity::parse(scalar.text());
  });
}

void require_text(const Node& node, FieldName field, std::vector<Finding>& findings) {
  if (!node.is_scalar() || node.style() != ScalarStyle::Plain) return;
  const std::string_view text = node.text();
  double number = 0;
  const std::size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  const char* begin = text.data() + sign;
  const char* end = text.data() + text.size();
  const auto is_whole = [&] {
    const auto [stop, error] = std::from_chars(begin, end, number);
    return error == std::errc{} && stop == end;
  };
  const bool is_number = (begin < end && is_digit(*begin) && is_whole()) || yaml_int(text);
  const bool is_boolean = yaml_bool(text).has_value();
  if (!is_number && !is_boolean) return;
  findings.push_back(problem("field-type", node.where(),
                             "`" + std::string(field) + "`: expected a text, got the " +
                                 (is_number ? "number `" : "boolean `") + std::string(text.substr(0, kValueShown)) +
                                 "`; put it in quotes"));
  findings.back().field = field.view();
}

std::string describe(const Node& node) {
  if (!node.exists() || node.is_null()) return "nothing";
  if (node.is_mapping()) return "a mapping";
  if (node.is_sequence()) return "a list";
  if (!node.is_scalar()) return "an alias of nothing";
  std::size_t shown = std::min(node.text().size(), kValueShown);
  while (shown > 0 && shown < node.text().size() && (static_cast<unsigned char>(node.text()[shown]) & 0xC0) == 0x80)
    --shown;
  std::string text(node.text().substr(0, shown));
  if (shown < node.text().size()) text += "...";
  return node.style() == ScalarStyle::Quoted ? "the text `" + text + "`" : "`" + text + "`";
}

}  // namespace muster
