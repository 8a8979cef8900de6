#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace muster {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Length of a valid code point at `at`, or 0.
std::size_t valid_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, at + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;   // overlong
  if (lead == 0xED && second >= 0xA0) return 0;  // surrogate
  if (lead == 0xF0 && second < 0x90) return 0;   // overlong
  if (lead == 0xF4 && second >= 0x90) return 0;  // above U+10FFFF
  return length;
}

/// Bytes before the first that is none of ASCII, or a few less. Eight at once: most texts are nothing else.
std::size_t ascii_length(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) return at;
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

char32_t decode(std::string_view text, std::size_t at, std::size_t length) {
  constexpr unsigned kLeadMask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t value = byte_at(text, at) & kLeadMask[length];
  for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (byte_at(text, at + i) & 0x3F);
  return value;
}

/// Characters that change how their neighbours are shown, or are not shown at all.
// And what XML does not take (1.0, section 2.2).
bool is_deceptive(char32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

void append_hex(std::string& out, char32_t value, std::size_t digits) {
  for (std::size_t i = digits; i-- > 0;) out += "0123456789abcdef"[(value >> (4 * i)) & 15];
}

}  // namespace

bool is_ascii(std::string_view text) { return ascii_length(text) == text.size(); }

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t at = ascii_length(text); at < text.size();) {
    const std::size_t length = valid_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::size_t code_point_length(std::string_view text, std::size_t at) {
  return std::max<std::size_t>(1, valid_length(text, at));
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += code_point_length(text, at)) ++count;
  return count;
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::string utf16_to_utf8(std::string_view bytes, ByteOrder order) {
  const auto unit = [&](std::size_t at) {
    const unsigned first = byte_at(bytes, at);
    const unsigned second = byte_at(bytes, at + 1);
    return static_cast<char32_t>(order == ByteOrder::Little ? first | (second << 8) : (first << 8) | second);
  };
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t c = unit(at);
    const bool high = c >= 0xD800 && c < 0xDC00;
    if (high && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
      at += 2;
    } else if (c >= 0xD800 && c < 0xE000) {
      c = 0xFFFD;
    }
    append_utf8(out, c);
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = valid_length(text, at);
    const unsigned lead = byte_at(text, at);
    if (length == 0 || lead < 0x20 || lead == 0x7F) {
      if (lead == '\t') {
        out += ' ';
      } else if (lead == '\n') {
        out += "\\n";
      } else {
        out += "\\x";
        append_hex(out, lead, 2);
      }
      ++at;
      continue;
    }
    if (text[at] == '[' && (out.ends_with("##") || out.ends_with("##vso"))) {
      out += "\\x5b";
    } else if (length > 1 && is_deceptive(decode(text, at, length))) {
      out += "\\u";
      append_hex(out, decode(text, at, length), 4);
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

}  // namespace muster
