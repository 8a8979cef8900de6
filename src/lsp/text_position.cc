#include "lsp/text_position.h"

#include <algorithm>

#include "base/utf8.h"

namespace muster {
namespace {

/// UTF-16 code units of the character whose first byte this is, and which has so many.
std::uint32_t units_of(std::size_t bytes, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8) return static_cast<std::uint32_t>(bytes);
  return bytes == 4 ? 2 : 1;
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t at = text.find_first_of("\r\n"); at != text.npos; at = text.find_first_of("\r\n", at)) {
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
    starts_.push_back(at);
  }
}

std::size_t LineIndex::line_start(std::uint32_t number) const {
  return number < starts_.size() ? starts_[number] : text_.size();
}

std::string_view LineIndex::line(std::uint32_t number) const {
  std::string_view out = text_.substr(line_start(number), line_start(number + 1) - line_start(number));
  while (out.ends_with('\n') || out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

TextPosition LineIndex::position(std::size_t offset, PositionEncoding encoding) const {
  offset = std::min(offset, text_.size());
  const auto after = std::ranges::upper_bound(starts_, offset);
  const auto number = static_cast<std::uint32_t>(after - starts_.begin() - 1);
  TextPosition out{number, 0};
  std::size_t at = starts_[number];
  if (mark_ && mark_->encoding == encoding && mark_->at.line == number && mark_->offset <= offset) {
    out = mark_->at;
    at = mark_->offset;
  }
  bool whole = true;  // it does not end within a character
  while (at < offset) {
    const std::size_t length = code_point_length(text_, at);
    const std::size_t bytes = std::min(length, offset - at);
    whole = bytes == length;
    out.character += units_of(bytes, encoding);
    at += bytes;
  }
  if (whole) mark_ = Mark{offset, out, encoding};
  return out;
}

std::size_t LineIndex::offset(const TextPosition& position, PositionEncoding encoding) const {
  const std::size_t end = line_start(position.line) + line(position.line).size();
  std::size_t at = line_start(position.line);
  for (std::uint32_t left = position.character; at < end;) {
    const std::size_t bytes = code_point_length(text_, at);
    const std::uint32_t units = units_of(bytes, encoding);
    if (units > left) break;
    left -= units;
    at += bytes;
  }
  return at;
}

}  // namespace muster
