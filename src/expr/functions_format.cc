// "...".format([...]). Source: google/cel-spec:doc/extensions/strings.md.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

constexpr int kDefaultPrecision = 6;
constexpr int kMaxPrecision = 100;

std::string not_a_number(double value) { return std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity"; }

/// Shortest digits that read back as the same number, never with an exponent.
std::string decimal(double value) {
  char buffer[400];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return error == std::errc{} ? std::string(buffer, end) : double_text(value);
}

void append_bytes(std::string& out, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = code_point_length(bytes, at);
    const bool valid = !first_invalid_utf8(bytes.substr(at, length));
    out += valid ? bytes.substr(at, length) : std::string_view("\xef\xbf\xbd");
    at += valid ? length : 1;
  }
}

bool append_text(std::string& out, const Value& value);

bool append_list(std::string& out, const Value& value) {
  out += "[";
  for (std::size_t i = 0; i < value.as_list().size; ++i) {
    if (i > 0) out += ", ";
    if (!append_text(out, item(value, i))) return false;
  }
  out += "]";
  return true;
}

/// By key, in the order of its text.
bool append_map(std::string& out, const Value& value) {
  std::vector<std::pair<std::string, const Value*>> entries;
  for (const MapEntry& entry : value.as_map().entries) {
    std::string key;
    if (!append_text(key, entry.key)) return false;
    entries.emplace_back(std::move(key), &entry.value);
  }
  std::ranges::sort(entries);
  out += "{";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out += (i > 0 ? ", " : "") + entries[i].first + ": ";
    if (!append_text(out, *entries[i].second)) return false;
  }
  out += "}";
  return true;
}

/// Text of what %s shows; strings within lists and maps stand without quotes. False for what has no text.
bool append_text(std::string& out, const Value& value) {
  if (out.size() > kMaxMemory) return true;  // judged by the caller
  switch (value.kind()) {
    case Kind::Null: out += "null"; return true;
    case Kind::Double:
      out += std::isfinite(value.as_double()) ? decimal(value.as_double()) : not_a_number(value.as_double());
      return true;
    case Kind::Bytes: append_bytes(out, value.as_text()); return true;
    case Kind::List: return append_list(out, value);
    case Kind::Map: return append_map(out, value);
    case Kind::Bool:
    case Kind::Int:
    case Kind::Uint:
    case Kind::String:
    case Kind::Duration:
    case Kind::Timestamp:
    case Kind::Type:
    case Kind::Quantity:
    case Kind::Version:
    case Kind::Semver: out += to_text(value); return true;
    case Kind::Absent:
    case Kind::Unknown:
    case Kind::Error:
    case Kind::Optional:
    case Kind::Object:
    case Kind::Hostlist: break;
  }
  return false;
}

std::optional<double> as_double(const Value& value) {
  if (value.is(Kind::Double)) return value.as_double();
  if (value.is(Kind::Int)) return static_cast<double>(value.as_int());
  if (value.is(Kind::Uint)) return static_cast<double>(value.as_uint());
  return std::nullopt;
}

std::optional<std::string> floating(const Value& value, char clause, int precision) {
  const std::optional<double> number = as_double(value);
  if (!number) return std::nullopt;
  if (!std::isfinite(*number)) return not_a_number(*number);
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, clause == 'f' ? "%.*f" : "%.*e", precision, *number);
  return std::string(buffer, static_cast<std::size_t>(length));
}

std::optional<std::string> integer(const Value& value, int base) {
  char buffer[80];
  std::to_chars_result end{};
  if (value.is(Kind::Int)) {
    end = std::to_chars(buffer, buffer + sizeof buffer, value.as_int(), base);
  } else if (value.is(Kind::Uint)) {
    end = std::to_chars(buffer, buffer + sizeof buffer, value.as_uint(), base);
  } else {
    return std::nullopt;
  }
  return std::string(buffer, end.ptr);
}

std::optional<std::string> hexadecimal(const Value& value, char clause) {
  std::optional<std::string> out = integer(value, 16);
  if (value.is(Kind::String) || value.is(Kind::Bytes)) {
    out.emplace();
    for (const char c : value.as_text()) {
      const auto byte = static_cast<unsigned char>(c);
      *out += "0123456789abcdef"[byte >> 4];
      *out += "0123456789abcdef"[byte & 15];
    }
  }
  if (out && clause == 'X')
    std::ranges::transform(*out, out->begin(),
                           [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

/// The text of one clause; nothing when it does not take such a value.
std::optional<std::string> clause_text(char clause, int precision, const Value& value) {
  switch (clause) {
    case 's': {
      std::string out;
      return append_text(out, value) ? std::optional(out) : std::nullopt;
    }
    case 'd':
      if (!value.is(Kind::Double)) return integer(value, 10);
      return std::isfinite(value.as_double()) ? decimal(value.as_double()) : not_a_number(value.as_double());
    case 'f':
    case 'e': return floating(value, clause, precision);
    case 'b':
      if (value.is(Kind::Bool)) return value.as_bool() ? "1" : "0";
      return integer(value, 2);
    case 'o': return integer(value, 8);
    default: return hexadecimal(value, clause);
  }
}

}  // namespace

Value format_text(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String) || !in[1].is(Kind::List)) return no_overload(context, "format", in);
  const std::string_view format = in[0].as_text();
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (out.size() > kMaxMemory) return make_error(context, "the text is too long");
    if (format[at] != '%') {
      out += format[at];
      continue;
    }
    if (++at == format.size()) return make_error(context, "unexpected end of string");
    if (format[at] == '%') {
      out += '%';
      continue;
    }
    if (next >= in[1].as_list().size) return make_error(context, "index " + std::to_string(next) + " out of range");
    int precision = kDefaultPrecision;
    if (format[at] == '.') {
      const char* end = format.data() + format.size();
      const auto [stop, error] = std::from_chars(format.data() + at + 1, end, precision);
      if (error != std::errc{} || precision < 0 || precision > kMaxPrecision || stop == end) {
        return make_error(context, "could not parse formatting clause: a precision is a number up to 100");
      }
      at = static_cast<std::size_t>(stop - format.data());
    }
    const char clause = format[at];
    if (std::string_view("sdfebxXo").find(clause) == std::string_view::npos) {
      return make_error(context, "could not parse formatting clause: unrecognized formatting clause \"" +
                                     printable(format.substr(at, 1)) + "\"");
    }
    const Value value = item(in[1], next++);
    const std::optional<std::string> text = clause_text(clause, precision, value);
    if (!text)
      return make_error(context, std::string("error during formatting: %") + clause + " does not take " +
                                     std::string(name_of(value.kind())));
    out += *text;
  }
  return Value::of(context.read.arena->copy(out));
}

}  // namespace muster
