#include "report/svg.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/page.h"

namespace muster {
namespace {

/// Tenths of a pixel that a letter takes on average at the size of these drawings, 13 px, and in bold.
constexpr std::int64_t kLetter = 70;

std::string at(std::string_view name, std::int64_t value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

std::string kind_of(std::string_view kind) { return kind.empty() ? "" : " class=\"" + std::string(kind) + "\""; }

}  // namespace

void Svg::rectangle(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::string_view kind) {
  body_ += "<rect" + at("x", x) + at("y", y) + at("width", std::max<std::int64_t>(width, 1)) +
           at("height", std::max<std::int64_t>(height, 1)) + kind_of(kind) + "/>\n";
}

void Svg::text(std::int64_t x, std::int64_t y, std::string_view words, std::int64_t room, std::string_view kind) {
  const std::string full = printable(words);
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(10 * room / kLetter, 2));
  std::string shown = full;
  if (count_code_points(full) > most) {
    std::size_t end = 0;
    for (std::size_t i = 0; i + 1 < most; ++i) end += code_point_length(full, end);
    shown = full.substr(0, end) + "…";
  }
  body_ += "<text" + at("x", x) + at("y", y) + kind_of(kind) + ">" +
           (shown == full ? "" : "<title>" + escaped(full) + "</title>") + escaped(shown) + "</text>\n";
}

std::vector<std::string> Svg::wrapped(std::string_view words, std::int64_t room, std::size_t most) {
  const auto letters = static_cast<std::size_t>(std::max<std::int64_t>(10 * room / kLetter, 2));
  std::vector<std::string> out;
  for (const std::string_view word : split(words, ' ')) {
    const bool joins =
        !out.empty() && (out.size() == most || count_code_points(out.back()) + 1 + count_code_points(word) <= letters);
    if (joins) {
      out.back() += " " + std::string(word);
    } else {
      out.emplace_back(word);
    }
  }
  return out;
}

void Svg::line(std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2, std::string_view kind) {
  body_ += "<line" + at("x1", x1) + at("y1", y1) + at("x2", x2) + at("y2", y2) + kind_of(kind) + "/>\n";
}

std::string Svg::finish(std::string_view id, std::string_view title, std::string_view description,
                        std::int64_t height) const {
  const std::string name(id);
  return "<svg viewBox=\"0 0 " + std::to_string(width_) + " " + std::to_string(height) + "\"" + at("width", width_) +
         at("height", height) + " role=\"img\" aria-labelledby=\"" + name + "-t " + name + "-d\">\n<title id=\"" +
         name + "-t\">" + escaped(title) + "</title>\n<desc id=\"" + name + "-d\">" + escaped(description) +
         "</desc>\n" + body_ + "</svg>\n";
}

}  // namespace muster
