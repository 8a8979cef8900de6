#include <charconv>
#include <cmath>
#include <string>

#include "base/utf8.h"
#include "expr/functions.h"

namespace muster {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMaxShown = 200;  // items of a list that a text shows

/// A literal of a string or of bytes.
std::string quoted(std::string_view text, bool bytes) {
  constexpr std::string_view kFrom = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kTo = "abfnrtv\\\"";
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = bytes ? "b\"" : "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t escape = kFrom.find(text[at]);
    const bool valid = !first_invalid_utf8(text.substr(at, length));
    if (escape != kFrom.npos) {
      out += '\\';
      out += kTo[escape];
    } else if (byte < 0x20 || byte == 0x7f || !valid) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      at += 1;
      continue;
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out + '"';
}

/// Shortest digits that read back as the same number.
std::string digits_of(double value, std::chars_format format) {
  char buffer[400];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, format);
  return error == std::errc{} ? std::string(buffer, end) : std::string();
}

/// Whether the decimal exponent of a number is from -4 to below `limit`.
bool in_plain_range(double value, int limit) {
  const std::string text = digits_of(value, std::chars_format::scientific);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  return exponent >= -4 && exponent < limit;
}

/// For people: no exponent where the digits are few.
std::string plain_double(double value) {
  constexpr int kExponentFrom = 16;
  return std::isfinite(value) && value != 0 && in_plain_range(value, kExponentFrom)
             ? digits_of(value, std::chars_format::fixed)
             : double_text(value);
}

/// A double that reads back as one: with a point or an exponent.
std::string double_literal(double value) {
  if (std::isnan(value)) return "double(\"NaN\")";
  if (std::isinf(value)) return value < 0 ? "double(\"-Infinity\")" : "double(\"Infinity\")";
  const std::string text = plain_double(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string called(std::string_view function, const std::string& argument) {
  return std::string(function) + "(" + argument + ")";
}

std::string list_text(const ListData& list, std::string (*show)(const Value&)) {
  std::string out;
  for (std::size_t i = 0; i < list.size && i < kMaxShown; ++i) out += (i > 0 ? ", " : "") + show(list.at(list.base, i));
  return list.size > kMaxShown ? out + ", ..." : out;
}

std::string map_text(const MapData& map, std::string (*show)(const Value&)) {
  std::string out;
  for (std::size_t i = 0; i < map.entries.size() && i < kMaxShown; ++i) {
    out += (i > 0 ? ", " : "") + show(map.entries[i].key) + ": " + show(map.entries[i].value);
  }
  return "{" + out + (map.entries.size() > kMaxShown ? ", ...}" : "}");
}

}  // namespace

std::string double_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  constexpr int kExponentFrom = 6;
  return value == 0 || in_plain_range(value, kExponentFrom) ? digits_of(value, std::chars_format::fixed)
                                                            : digits_of(value, std::chars_format::scientific);
}

std::string to_text(const Value& value) {
  switch (value.kind()) {
    case Kind::Absent: return "nothing";
    case Kind::Unknown: return "?";
    case Kind::Error: return "?";
    case Kind::Null: return "null";
    case Kind::Bool: return value.as_bool() ? "true" : "false";
    case Kind::Int: return std::to_string(value.as_int());
    case Kind::Uint: return std::to_string(value.as_uint());
    case Kind::Double: return plain_double(value.as_double());
    case Kind::String:
    case Kind::Bytes: return std::string(value.as_text());
    case Kind::List: return list_text(value.as_list(), to_text);
    case Kind::Map: return map_text(value.as_map(), to_text);
    case Kind::Duration: return duration_text(value.as_time());
    case Kind::Timestamp: return timestamp_text(value.as_time());
    case Kind::Type: return std::string(value.as_text());
    case Kind::Optional: return value.as_optional() == nullptr ? "nothing" : to_text(*value.as_optional());
    case Kind::Object: return std::string(value.object_type()->name);
    case Kind::Quantity: return value.as_quantity().text();
    case Kind::Version: return value.as_version().text();
    case Kind::Hostlist: return std::to_string(value.as_hostlist().size()) + " nodes";
    case Kind::Semver: return semver_text(value.as_semver());
  }
  return "";
}

std::string to_literal(const Value& value) {
  switch (value.kind()) {
    case Kind::Absent:
    case Kind::Unknown:
    case Kind::Error:
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Type: return to_text(value);
    case Kind::Uint: return to_text(value) + "u";
    case Kind::Double: return double_literal(value.as_double());
    case Kind::String: return quoted(value.as_text(), false);
    case Kind::Bytes: return quoted(value.as_text(), true);
    case Kind::List: return "[" + list_text(value.as_list(), to_literal) + "]";
    case Kind::Map: return map_text(value.as_map(), to_literal);
    case Kind::Duration: return called("duration", quoted(to_text(value), false));
    case Kind::Timestamp: return called("timestamp", quoted(to_text(value), false));
    case Kind::Optional:
      return value.as_optional() == nullptr ? "optional.none()"
                                            : called("optional.of", to_literal(*value.as_optional()));
    case Kind::Object: return "<" + to_text(value) + ">";
    case Kind::Quantity: return called("quantity", quoted(to_text(value), false));
    case Kind::Version: return called("version", quoted(to_text(value), false));
    case Kind::Semver: return called("semver", quoted(to_text(value), false));
    case Kind::Hostlist: {
      const std::optional<std::vector<std::string>> names = value.as_hostlist().expand(kMaxShown);
      return names ? called("hostlist", quoted(compress_hostlist(*names), false))
                   : "<hostlist of " + to_text(value) + ">";
    }
  }
  return "";
}

}  // namespace muster
