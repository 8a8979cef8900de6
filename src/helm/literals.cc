#include "helm/literals.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster::helm {
namespace {

std::uint32_t digits(std::string_view text, int base) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

std::string character(std::uint32_t code) {
  std::string out;
  append_utf8(out, code);
  return out;
}

/// What a backslash and what follows it say; `at` moves behind it.
std::string escaped(std::string_view text, std::size_t& at) {
  const char c = text[at++];
  const auto code = [&](std::size_t size, int base) {
    const std::uint32_t value = digits(text.substr(at, size), base);
    at = std::min(at + size, text.size());
    return value;
  };
  switch (c) {
    case 'a': return "\a";
    case 'b': return "\b";
    case 'f': return "\f";
    case 'n': return "\n";
    case 'r': return "\r";
    case 't': return "\t";
    case 'v': return "\v";
    case 'x': return std::string(1, static_cast<char>(code(2, 16)));
    case 'u': return character(code(4, 16));
    case 'U': return character(code(8, 16));
    default: break;
  }
  if (c < '0' || c > '7') return std::string(1, c);
  --at;
  return std::string(1, static_cast<char>(code(3, 8)));
}

}  // namespace

std::string unquoted(std::string_view quoted) {
  if (quoted.size() < 2) return std::string(quoted);
  const char mark = quoted.front();
  quoted = quoted.substr(1, quoted.size() - 2);
  std::string out;
  if (mark == '`') {
    std::ranges::copy_if(quoted, std::back_inserter(out), [](char c) { return c != '\r'; });
    return out;
  }
  for (std::size_t i = 0; i < quoted.size();) {
    const char c = quoted[i++];
    if (c == '\\' && i < quoted.size())
      out += escaped(quoted, i);
    else
      out += c;
  }
  return out;
}

std::int64_t first_character(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const std::uint32_t first = byte(0);
  if (first < 0xC0) return first;
  if (first < 0xE0) return ((first & 0x1F) << 6) | (byte(1) & 0x3F);
  if (first < 0xF0) return ((first & 0xF) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
  return ((first & 7) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
}

void read_number(std::string text, Operand& out) {
  std::erase(text, '_');
  const bool negative = text.starts_with('-');
  std::string_view rest = text;
  if (negative || text.starts_with('+')) rest.remove_prefix(1);
  int base = 10;
  if (rest.size() > 1 && rest[0] == '0') {
    const char second = static_cast<char>(rest[1] | 0x20);
    base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
    if (second == 'x' || second == 'b' || second == 'o') rest.remove_prefix(2);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  out.kind = Operand::Kind::Integer;
  out.integer = negative ? -value : value;
  if (error == std::errc() && end == rest.data() + rest.size()) return;
  out.kind = Operand::Kind::Decimal;
  out.decimal = std::strtod(text.c_str(), nullptr);
}

}  // namespace muster::helm
