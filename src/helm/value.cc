#include "helm/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "helm/literals.h"

namespace muster::helm {
namespace {

void print(const Value& value, std::string& out, int depth) {
  if (depth > kDeepestValue) return;
  switch (value.kind) {
    case Value::Kind::Nil: out += "<nil>"; return;
    case Value::Kind::Bool: out += value.boolean ? "true" : "false"; return;
    case Value::Kind::Integer: out += std::to_string(value.integer); return;
    case Value::Kind::Decimal: out += printed(value.decimal); return;
    case Value::Kind::Text: out += value.text; return;
    case Value::Kind::List: {
      out += '[';
      bool first = true;
      for (const Value& item : value.list->items) {
        if (!std::exchange(first, false)) out += ' ';
        print(item, out, depth + 1);
      }
      out += ']';
      return;
    }
    case Value::Kind::Map: break;
  }
  if (!value.map->printed.empty()) return void(out += value.map->printed);
  out += "map[";
  bool first = true;
  for (const auto& [key, member] : value.map->members) {
    if (!std::exchange(first, false)) out += ' ';
    out += key;
    out += ':';
    print(member.value, out, depth + 1);
  }
  out += ']';
}

bool equal(const Value& a, const Value& b, std::size_t& left) {
  if (a.kind != b.kind || left == 0) return false;
  --left;
  switch (a.kind) {
    case Value::Kind::Nil: return true;
    case Value::Kind::Bool: return a.boolean == b.boolean;
    case Value::Kind::Integer: return a.integer == b.integer;
    case Value::Kind::Decimal: return a.decimal == b.decimal;
    case Value::Kind::Text: return a.text == b.text;
    case Value::Kind::List:
      if (a.list == b.list) return true;
      if (a.list->items.size() != b.list->items.size()) return false;
      for (std::size_t i = 0; i < a.list->items.size(); ++i) {
        if (!equal(a.list->items[i], b.list->items[i], left)) return false;
      }
      return true;
    case Value::Kind::Map: break;
  }
  if (a.map == b.map) return true;
  if (a.map->members.size() != b.map->members.size()) return false;
  for (const auto& [key, member] : a.map->members) {
    const Value* other = b.map->find(key);
    if (other == nullptr || !equal(member.value, *other, left)) return false;
  }
  return true;
}

}  // namespace

Value Value::of(bool value) {
  Value out;
  out.kind = Kind::Bool;
  out.boolean = value;
  return out;
}

Value Value::of(std::int64_t value) {
  Value out;
  out.kind = Kind::Integer;
  out.integer = value;
  return out;
}

Value Value::of(double value) {
  Value out;
  out.kind = Kind::Decimal;
  out.decimal = value;
  return out;
}

Value Value::of(std::string text) {
  Value out;
  out.kind = Kind::Text;
  out.text = std::move(text);
  return out;
}

Value Value::of(List* list) {
  Value out;
  out.kind = Kind::List;
  out.list = list;
  return out;
}

Value Value::of(Map* map) {
  Value out;
  out.kind = Kind::Map;
  out.map = map;
  return out;
}

const Value* Map::find(std::string_view key) const {
  const auto found = members.find(key);
  return found == members.end() ? nullptr : &found->second.value;
}

Value Store::list(std::vector<Value> items) {
  Value out = list();
  out.list->items = std::move(items);
  return out;
}

bool is_true(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Nil: return false;
    case Value::Kind::Bool: return value.boolean;
    case Value::Kind::Integer: return value.integer != 0;
    case Value::Kind::Decimal: return value.decimal != 0;
    case Value::Kind::Text: return !value.text.empty();
    case Value::Kind::List: return !value.list->items.empty();
    case Value::Kind::Map: return value.map->record || !value.map->members.empty();
  }
  return false;
}

std::string_view kind_name(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Nil: return "invalid";
    case Value::Kind::Bool: return "bool";
    case Value::Kind::Integer: return value.constant ? "int" : "int64";
    case Value::Kind::Decimal: return "float64";
    case Value::Kind::Text: return "string";
    case Value::Kind::List: return "slice";
    case Value::Kind::Map: return value.map->record ? "struct" : "map";
  }
  return "invalid";
}

bool deep_equal(const Value& a, const Value& b) {
  std::size_t left = 100'000;
  return equal(a, b, left);
}

bool deep_copy(const Value& value, Store& store, Value& out, int depth) {
  if (depth > kDeepestValue) return false;
  if (value.is_list()) {
    out = store.list();
    for (const Value& item : value.list->items) {
      if (!deep_copy(item, store, out.list->items.emplace_back(), depth + 1)) return false;
    }
    return true;
  }
  if (!value.is_map()) return out = value, true;
  out = store.map();
  out.map->record = value.map->record;
  out.map->printed = value.map->printed;
  out.map->methods = value.map->methods;
  for (const auto& [key, member] : value.map->members) {
    Member& own = out.map->members[key];
    own.key = member.key;
    if (!deep_copy(member.value, store, own.value, depth + 1)) return false;
  }
  return true;
}

std::string printed(const Value& value) {
  std::string out;
  print(value, out, 0);
  return out;
}

/// The shortest text that reads back, with an exponent where it is below -4 or above 5
/// (golang/go:src/strconv/ftoa.go, 1.25): a million of a values file is 1e+06.
std::string printed(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 64> buffer{};
  const auto scientific =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(scientific.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::string_view written = text.substr(e + 1);
  if (written.starts_with('+')) written.remove_prefix(1);
  std::from_chars(written.data(), written.data() + written.size(), exponent);
  if (exponent < -4 || exponent >= 6) return std::string(text);
  std::array<char, 64> fixed{};
  const auto end = std::to_chars(fixed.data(), fixed.data() + fixed.size(), value, std::chars_format::fixed);
  return {fixed.data(), static_cast<std::size_t>(end.ptr - fixed.data())};
}

std::string in_quotes(std::string_view text, const Escapes& how) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t letter = how.controls.find(c);
    if (c == '"' || c == '\\')
      out += std::string{'\\', c};
    else if (letter != how.controls.npos)
      out += std::string{'\\', how.letters[letter]};
    else if (byte < 0x20 || how.others.find(c) != how.others.npos)
      out += std::string(how.hex) + kHex[byte >> 4] + kHex[byte & 15];
    else
      out += c;
  }
  return out + '"';
}

std::string quoted(std::string_view text) { return in_quotes(text, {"\a\b\f\n\r\t\v", "abfnrtv", "\\x", "\x7f"}); }

}  // namespace muster::helm
