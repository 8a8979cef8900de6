#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/span.h"

namespace muster {

/// A line of a text, without its end.
struct TextLine {
  std::string_view text;
  std::uint32_t begin = 0;  ///< its offset
  bool ended = true;        ///< a line end stands behind it

  std::size_t indent() const;  ///< in blanks; of a blank line its length
  bool blank() const;
};

std::vector<TextLine> lines_of(std::string_view text);

/// Lines that were cut out of another text, without the indentation that they had there.
struct CutText {
  std::string text;
  /// Where lines of it begin: in it, and in the text that it stands in.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
  bool ended = true;                 ///< the line end behind the last line stands in that text, too
  std::uint32_t limit = UINT32_MAX;  ///< where that text ends, if a piece here may be longer than it is there

  /// `indent`: how many blanks are cut off at most. `as`: what is kept of the rest of the line.
  void add(const TextLine& line, std::size_t indent, std::string_view as);
  /// The same stretch in the text that it stands in; the file stays as it is.
  Span place(Span span) const;

 private:
  std::uint32_t place(std::uint32_t offset) const;
};

}  // namespace muster
