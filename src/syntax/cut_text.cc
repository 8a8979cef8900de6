#include "syntax/cut_text.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"

namespace muster {

std::size_t TextLine::indent() const { return std::min(text.find_first_not_of(' '), text.size()); }

bool TextLine::blank() const { return trim(text).empty(); }

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back({text.substr(at, end - at), static_cast<std::uint32_t>(at), end < text.size()});
    at = end + 1;
  }
  return out;
}

void CutText::add(const TextLine& line, std::size_t indent, std::string_view as) {
  const std::size_t cut = std::min(indent, line.indent());
  lines.emplace_back(static_cast<std::uint32_t>(text.size()), line.begin + static_cast<std::uint32_t>(cut));
  text += as;
  text += '\n';
  ended = line.ended;
}

std::uint32_t CutText::place(std::uint32_t offset) const {
  const auto behind = std::ranges::upper_bound(lines, offset, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  if (behind == lines.begin()) return offset;
  const auto& [in_it, in_file] = *std::prev(behind);
  return std::min(in_file + (offset - in_it), limit);
}

Span CutText::place(Span span) const {
  if (!span.placed()) return span;
  if (!ended && span.end == text.size()) span.end -= 1;
  span.begin = std::min(span.begin, span.end);
  // The end is that of the last byte: behind a line end begins another line.
  span.end = span.end > span.begin ? std::min(place(span.end - 1), limit - 1) + 1 : place(span.end);
  span.begin = place(span.begin);
  span.end = std::max(span.begin, span.end);
  return span;
}

}  // namespace muster
