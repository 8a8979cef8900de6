#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace muster {

/// What a column of the protocol counts: UTF-16 code units unless both sides agree on bytes.
enum class PositionEncoding { Utf16, Utf8 };

/// 0-based, both.
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

struct TextRange {
  TextPosition begin;
  TextPosition end;
  bool holds(const TextPosition& at) const { return begin <= at && at <= end; }
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// The lines of a text as the protocol counts them: \n, \r\n and \r end one. The text outlives it. For one thread.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  TextPosition position(std::size_t offset, PositionEncoding encoding) const;
  /// The byte at a position. What lies behind the end of a line or of the text is taken for that end, as the protocol
  /// says; what lies within a character, for its beginning.
  std::size_t offset(const TextPosition& position, PositionEncoding encoding) const;
  /// A line without its end; empty behind the last.
  std::string_view line(std::uint32_t number) const;
  std::size_t line_start(std::uint32_t number) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;

  /// The last answer: places of a report come nearly in order, and a line may be megabytes long.
  struct Mark {
    std::size_t offset = 0;
    TextPosition at;
    PositionEncoding encoding{};
  };
  mutable std::optional<Mark> mark_;
};

}  // namespace muster
