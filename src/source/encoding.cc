#include "source/encoding.h"

#include <string_view>

#include "base/utf8.h"

namespace muster {

DecodedText decode_text(std::string bytes) {
  using Verdict = DecodedText::Verdict;
  DecodedText out;
  const std::string_view view = bytes;
  if (view.starts_with("\xFF\xFE")) {
    out.text = utf16_to_utf8(view.substr(2), ByteOrder::Little);
  } else if (view.starts_with("\xFE\xFF")) {
    out.text = utf16_to_utf8(view.substr(2), ByteOrder::Big);
  } else if (view.starts_with("\xEF\xBB\xBF")) {
    out.text = bytes.substr(3);
  } else {
    out.text = std::move(bytes);
  }
  if (out.text.find('\0') != std::string::npos) {
    out.verdict = Verdict::Binary;
    return out;
  }
  std::optional<std::size_t> bad = first_invalid_utf8(out.text);
  if (!bad) return out;
  out.verdict = Verdict::InvalidUtf8;
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
