#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace muster {

/// Index of a file in its SourceMap.
enum class FileId : std::uint32_t { None = 0xFFFFFFFF };

/// 1-based; columns count code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// A stretch of one file's text in bytes, [begin, end). Line and column come from the SourceMap.
struct Span {
  FileId file = FileId::None;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool placed() const { return file != FileId::None; }
  friend auto operator<=>(const Span&, const Span&) = default;
};

/// Where a part of a file's text stands. `part` is a view into `text`.
inline Span span_of_part(FileId file, std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {file, begin, begin + static_cast<std::uint32_t>(part.size())};
}

}  // namespace muster
