#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A drawing for a page of the review: its colours are those of the page's style (styles/review.css), by class.
class Svg {
 public:
  explicit Svg(std::int64_t width) : width_(width) {}

  std::int64_t width() const { return width_; }

  void rectangle(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::string_view kind);
  /// Plain text, cut to `room` pixels; what is cut is told where one points at it.
  void text(std::int64_t x, std::int64_t y, std::string_view words, std::int64_t room, std::string_view kind = "");
  /// The words in lines that fit `room` pixels, at most so many; what is too much is left to the last one.
  static std::vector<std::string> wrapped(std::string_view words, std::int64_t room, std::size_t most);
  void line(std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2, std::string_view kind);

  /// The whole element; `id` is unique within the page, `title` and `description` are plain text.
  std::string finish(std::string_view id, std::string_view title, std::string_view description,
                     std::int64_t height) const;

 private:
  std::int64_t width_;
  std::string body_;
};

}  // namespace muster
