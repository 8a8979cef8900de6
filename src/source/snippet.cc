#include "source/snippet.h"

#include <algorithm>

#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kWidth = 100;  // code points of a line that are shown

}  // namespace

std::size_t gutter_width(std::uint32_t line) { return std::max<std::size_t>(2, std::to_string(line).size()); }

std::string render_snippet(const SourceMap& sources, const Span& span, std::size_t gutter) {
  const SourceFile& file = sources.file(span.file);
  const Position begin = file.position(span.begin);
  std::string_view line = file.line(begin.line);
  const std::uint32_t line_begin = file.line_start(begin.line);
  std::size_t from = std::min<std::size_t>(span.begin - line_begin, line.size());
  std::size_t to = std::clamp<std::size_t>(span.end - line_begin, from, line.size());

  // Very long lines (minified JSON) are cut around the place that matters.
  std::string before;
  std::string after;
  if (from > kWidth * 3 / 4) {
    std::size_t cut = from - kWidth / 2;
    while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
    line.remove_prefix(cut);
    from -= cut;
    to -= cut;
    before = "...";
  }
  if (line.size() > kWidth * 3 / 2) {
    std::size_t cut = kWidth * 3 / 2;
    while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
    line = line.substr(0, cut);
    from = std::min(from, line.size());
    to = std::min(to, line.size());
    after = "...";
  }
  const std::string lead = before + printable(line.substr(0, from));
  const std::string marked = printable(line.substr(from, to - from));
  const std::string blank(gutter, ' ');
  const std::string number = std::to_string(begin.line);
  std::string out = " " + blank + " |\n";
  out += " " + std::string(gutter - std::min(gutter, number.size()), ' ') + number + " | " + lead + marked +
         printable(line.substr(to)) + after + "\n";
  out += " " + blank + " | " + std::string(count_code_points(lead), ' ') +
         std::string(std::max<std::size_t>(1, count_code_points(marked)), '^') + "\n";
  return out;
}

}  // namespace muster
