#include "source/encoding.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace muster {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Units that are no code point become U+FFFD; what is left of an incomplete last unit is dropped.
std::string utf32_to_utf8(std::string_view bytes, ByteOrder order) {
  std::string out;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    char32_t unit = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[at + (order == ByteOrder::Big ? i : 3 - i)]);
      unit = (unit << 8) | byte;
    }
    const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
    append_utf8(out, unit > 0x10FFFF || surrogate ? kReplacement : unit);
  }
  return out;
}

std::string without_mark(std::string bytes) {
  const std::string_view view = bytes;
  // The mark of UTF-32 in little endian begins with that of UTF-16.
  if (view.starts_with(std::string_view("\xFF\xFE\0\0", 4))) return utf32_to_utf8(view.substr(4), ByteOrder::Little);
  if (view.starts_with(std::string_view("\0\0\xFE\xFF", 4))) return utf32_to_utf8(view.substr(4), ByteOrder::Big);
  if (view.starts_with("\xFF\xFE")) return utf16_to_utf8(view.substr(2), ByteOrder::Little);
  if (view.starts_with("\xFE\xFF")) return utf16_to_utf8(view.substr(2), ByteOrder::Big);
  if (view.starts_with("\xEF\xBB\xBF")) return bytes.substr(3);
  return bytes;
}

}  // namespace

DecodedText decode_text(std::string bytes) {
  DecodedText out;
  out.text = without_mark(std::move(bytes));
  if (out.text.find('\0') != std::string::npos) {
    out.verdict = DecodedText::Verdict::Binary;
    return out;
  }
  // YAML's line ends of old; as many bytes, so that places stay.
  if (out.text.find('\n') == std::string::npos) std::ranges::replace(out.text, '\r', '\n');
  std::optional<std::size_t> bad = first_invalid_utf8(out.text);
  if (!bad) return out;
  out.verdict = DecodedText::Verdict::InvalidUtf8;
  out.bad_offset = *bad;
  // Byte for byte, so that every later place stays where it is in the file.
  std::string clean = out.text.substr(0, *bad);
  for (std::size_t at = *bad; at < out.text.size();) {
    const std::size_t length = code_point_length(out.text, at);
    const std::string_view piece = std::string_view(out.text).substr(at, length);
    clean += first_invalid_utf8(piece) ? std::string_view("?") : piece;
    at += length;
  }
  out.text = std::move(clean);
  return out;
}

}  // namespace muster
