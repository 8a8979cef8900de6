#pragma once

#include <compare>
#include <cstdint>

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

}  // namespace muster
