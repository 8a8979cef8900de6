#include "cli/value_json.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "expr/functions.h"

namespace muster {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) out += kDigits[bits << (6 - count) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

/// Finite, with a point or an exponent, so that it reads back as a double.
std::string double_json(double value) {
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Whether JSON tells the value from every other without its type.
bool is_plain(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null:
    case Value::Kind::Bool:
    case Value::Kind::Int:
    case Value::Kind::String:
    case Value::Kind::List: return true;
    case Value::Kind::Double: return std::isfinite(value.as_double());
    case Value::Kind::Map:
      for (const MapEntry& entry : value.as_map().entries) {
        if (!entry.key.is(Value::Kind::String) || entry.key.as_text() == "type")
          return false;  // `type` could pass for a typed form
      }
      return true;
    default: return false;
  }
}

std::string list_json(const Value& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.as_list().size; ++i) out += (i > 0 ? ", " : "") + value_json(item(list, i));
  return out + "]";
}

std::string map_json(const MapData& map) {
  std::string out = "{";
  for (const MapEntry& entry : map.entries) {
    out += (out.size() > 1 ? ", " : "") + quoted_json(entry.key.as_text()) + ": " + value_json(entry.value);
  }
  return out + "}";
}

std::string entries_json(const MapData& map) {
  std::string out = "[";
  for (const MapEntry& entry : map.entries) {
    out += (out.size() > 1 ? ", " : "") + ("[" + value_json(entry.key)) + ", " + value_json(entry.value) + "]";
  }
  return out + "]";
}

/// The text of a value that JSON carries as a string only.
std::string text_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Bytes: return base64(value.as_text());
    case Value::Kind::Double:
      return std::isnan(value.as_double()) ? "NaN" : value.as_double() < 0 ? "-Infinity" : "Infinity";
    case Value::Kind::Hostlist: {
      const std::optional<std::vector<std::string>> names = value.as_hostlist().expand(Hostlist::kMaxRange);
      return names ? compress_hostlist(*names) : to_text(value);
    }
    case Value::Kind::Object: {
      const Field* name = value.object_type()->find("name");
      return name == nullptr ? std::string(value.object_type()->name) : to_text(name->read(value.object_data(), {}));
    }
    default: return to_text(value);
  }
}

}  // namespace

std::string_view json_type(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null: return "null";
    case Value::Kind::Duration: return "duration";
    case Value::Kind::Timestamp: return "timestamp";
    case Value::Kind::Optional: return "optional";
    case Value::Kind::Object: return value.object_type()->name;
    default: return name_of(value.kind());
  }
}

std::string typed_members(const Value& value) {
  const std::string type = "\"type\": " + quoted_json(json_type(value));
  if (value.is(Value::Kind::Optional))
    return value.as_optional() == nullptr ? type : type + ", \"value\": " + value_json(*value.as_optional());
  if (value.is(Value::Kind::Unknown))
    return type + ", \"needs\": " + quoted_json(value.needs() == nullptr ? "" : value.needs()->needs);
  if (value.is(Value::Kind::Map) && !is_plain(value)) return type + ", \"entries\": " + entries_json(value.as_map());
  return type + ", \"value\": " + (is_plain(value) ? value_json(value) : quoted_json(text_of(value)));
}

std::string value_json(const Value& value) {
  if (!is_plain(value)) return "{" + typed_members(value) + "}";
  switch (value.kind()) {
    case Value::Kind::Double: return double_json(value.as_double());
    case Value::Kind::String: return quoted_json(value.as_text());
    case Value::Kind::List: return list_json(value);
    case Value::Kind::Map: return map_json(value.as_map());
    default: return to_text(value);
  }
}

std::string quoted_json(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    const std::string_view character = text.substr(at, length);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (text[at] == '"' || text[at] == '\\') {
      out += '\\';
      out += text[at];
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += first_invalid_utf8(character) ? std::string_view("\xef\xbf\xbd") : character;
    }
    at += length;
  }
  return out + '"';
}

}  // namespace muster
