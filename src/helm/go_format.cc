#include "helm/go_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster::helm {
namespace {

constexpr std::size_t kWidest = 1000;  // Go takes up to a million

struct Verb {
  bool minus = false;
  bool plus = false;
  bool zero = false;
  bool blank = false;
  bool sharp = false;
  std::size_t width = 0;
  std::optional<std::size_t> precision;
  char letter = '\0';
};

std::size_t number(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at)
    value = std::min(kWidest, value * 10 + static_cast<std::size_t>(text[at] - '0'));
  return value;
}

Verb read_verb(std::string_view text, std::size_t& at) {
  Verb out;
  for (; at < text.size(); ++at) {
    if (text[at] == '-')
      out.minus = true;
    else if (text[at] == '+')
      out.plus = true;
    else if (text[at] == '0')
      out.zero = true;
    else if (text[at] == ' ')
      out.blank = true;
    else if (text[at] == '#')
      out.sharp = true;
    else
      break;
  }
  out.width = number(text, at);
  if (at < text.size() && text[at] == '.') out.precision = number(text, ++at);
  if (at < text.size()) out.letter = text[at++];
  return out;
}

std::string padded(std::string text, const Verb& verb, bool numeric) {
  const auto size = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  if (size >= verb.width) return text;
  const std::size_t missing = verb.width - size;
  if (verb.minus) return text + std::string(missing, ' ');
  if (!verb.zero || !numeric) return std::string(missing, verb.zero ? '0' : ' ') + text;
  const bool sign = text.starts_with('-') || text.starts_with('+');
  return text.substr(0, sign ? 1 : 0) + std::string(missing, '0') + text.substr(sign ? 1 : 0);
}

std::string bad(char verb, const Value& value) {
  const std::string name = value.is_map()                   ? "map[string]interface {}"
                           : value.is_list()                ? "[]interface {}"
                           : value.is(Value::Kind::Integer) ? "int"
                                                            : std::string(kind_name(value));
  if (value.is_nil()) return std::string("%!") + verb + "(<nil>)";
  return std::string("%!") + verb + "(" + name + "=" + printed(value) + ")";
}

std::string in_base(std::int64_t value, int base, bool upper) {
  std::array<char, 70> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, base);
  std::string out(buffer.data(), end.ptr);
  if (upper) std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return out;
}

std::string integer(const Verb& verb, const Value& value) {
  std::string text;
  switch (verb.letter) {
    case 'v':
    case 'd': text = std::to_string(value.integer); break;
    case 'x': text = in_base(value.integer, 16, false); break;
    case 'X': text = in_base(value.integer, 16, true); break;
    case 'o': text = in_base(value.integer, 8, false); break;
    case 'b': text = in_base(value.integer, 2, false); break;
    case 'c': append_utf8(text, static_cast<char32_t>(value.integer)); return padded(std::move(text), verb, false);
    default: return bad(verb.letter, value);
  }
  if (verb.plus && value.integer >= 0) text.insert(0, "+");
  return padded(std::move(text), verb, true);
}

std::string decimal(const Verb& verb, const Value& value) {
  if (verb.letter == 'v' || (verb.letter == 'g' && !verb.precision)) return padded(printed(value.decimal), verb, true);
  if (verb.letter != 'f' && verb.letter != 'F' && verb.letter != 'e' && verb.letter != 'g')
    return bad(verb.letter, value);
  std::array<char, 1500> buffer{};
  const auto precision = static_cast<int>(verb.precision.value_or(6));
  const char* format = verb.letter == 'e' ? "%.*e" : verb.letter == 'g' ? "%.*g" : "%.*f";
  const int size = std::snprintf(buffer.data(), buffer.size(), format, precision, value.decimal);
  std::string text(buffer.data(), std::min(buffer.size() - 1, static_cast<std::size_t>(std::max(size, 0))));
  if (verb.plus && value.decimal >= 0) text.insert(0, "+");
  return padded(std::move(text), verb, true);
}

std::string text(const Verb& verb, std::string_view value) {
  if (verb.precision) value = value.substr(0, *verb.precision);
  if (verb.letter == 'v' || verb.letter == 's') return padded(std::string(value), verb, false);
  if (verb.letter == 'q') return padded(quoted(value), verb, false);
  if (verb.letter != 'x' && verb.letter != 'X') return bad(verb.letter, Value::of(std::string(value)));
  const std::string_view digits = verb.letter == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
  std::string out;
  for (const char c : value) {
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

/// Each of what a list or map holds by itself.
std::string formatted(const Verb& verb, const Value& value, int depth) {
  if (verb.letter == 'T') return value.is_nil() ? "<nil>" : std::string(kind_name(value));
  switch (value.kind) {
    case Value::Kind::Nil: return verb.letter == 'v' ? padded("<nil>", verb, false) : bad(verb.letter, value);
    case Value::Kind::Bool:
      return verb.letter == 'v' || verb.letter == 't' ? padded(value.boolean ? "true" : "false", verb, false)
                                                      : bad(verb.letter, value);
    case Value::Kind::Integer: return integer(verb, value);
    case Value::Kind::Decimal: return decimal(verb, value);
    case Value::Kind::Text: return text(verb, value.text);
    default: break;
  }
  if (depth > 20) return {};
  if (value.is_map() && !value.map->printed.empty()) return text(verb, value.map->printed);
  std::string out = value.is_list() ? "[" : "map[";
  bool first = true;
  const auto add = [&](const std::string& key, const Value& one) {
    if (!first) out += ' ';
    first = false;
    if (!key.empty()) out += text(verb, key) + ":";
    out += formatted(verb, one, depth + 1);
  };
  if (value.is_list()) {
    for (const Value& item : value.list->items) add({}, item);
  } else {
    for (const auto& [key, member] : value.map->members) add(key, member.value);
  }
  return out + "]";
}

}  // namespace

std::string go_format(std::string_view format, const std::vector<Value>& values) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t mark = format.find('%', at);
    out += format.substr(at, mark == format.npos ? mark : mark - at);
    if (mark == format.npos) break;
    at = mark + 1;
    const Verb verb = read_verb(format, at);
    if (verb.letter == '%')
      out += '%';
    else if (verb.letter == '\0')
      out += "%!(NOVERB)";
    else if (used == values.size())
      out += std::string("%!") + verb.letter + "(MISSING)";
    else
      out += formatted(verb, values[used++], 0);
  }
  if (used == values.size()) return out;
  out += "%!(EXTRA ";
  for (std::size_t i = used; i < values.size(); ++i) {
    if (i > used) out += ", ";
    out += values[i].is_nil() ? "<nil>" : std::string(kind_name(values[i])) + "=" + printed(values[i]);
  }
  return out + ")";
}

}  // namespace muster::helm
