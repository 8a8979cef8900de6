#include "helm/line_places.h"

#include <algorithm>
#include <limits>

#include "base/strings.h"

namespace muster {
namespace {

/// Pairs of lines that are compared at most: a template of a thousand lines that becomes four thousand.
constexpr std::size_t kMostPairs = 4'000'000;
constexpr std::size_t kMostCompared = std::size_t{256} << 20;  // and their bytes

// What a pair of lines is worth. Only their order matters, and that an exact line outweighs a way back.
constexpr int kSame = 6;      // the line as it is
constexpr int kAround = 4;    // the literal text around an action
constexpr int kAction = 1;    // nothing but an action
constexpr int kNothing = -4;  // the line cannot be it
constexpr int kBack = -3;     // a loop begins anew
constexpr int kStays = -5;    // a line that is no action writes one line
constexpr int kUnreached = std::numeric_limits<int>::min() / 2;

/// The literal pieces of a line of a template.
struct Line {
  std::vector<std::string_view> pieces;
  bool action = false;

  bool only_action() const {
    return action && std::ranges::all_of(pieces, [](std::string_view piece) { return trim(piece).empty(); });
  }
};

Line read_line(std::string_view text) {
  Line out;
  text = trim(text);
  for (std::size_t open = text.find("{{"); open != text.npos; open = text.find("{{")) {
    out.action = true;
    out.pieces.push_back(text.substr(0, open));
    const std::size_t close = text.find("}}", open);
    text.remove_prefix(close == text.npos ? text.size() : close + 2);
  }
  out.pieces.push_back(text);
  return out;
}

/// Whether the pieces stand in a line in their order, the first and the last at its ends.
bool fits(const Line& line, std::string_view rendered) {
  if (!rendered.starts_with(line.pieces.front())) return false;
  rendered.remove_prefix(line.pieces.front().size());
  for (std::size_t i = 1; i < line.pieces.size(); ++i) {
    const bool last = i + 1 == line.pieces.size();
    const std::size_t at = last && rendered.ends_with(line.pieces[i]) ? rendered.size() - line.pieces[i].size()
                                                                      : rendered.find(line.pieces[i]);
    if (at == rendered.npos) return false;
    rendered.remove_prefix(at + line.pieces[i].size());
  }
  return rendered.empty();
}

int worth(const Line& line, std::string_view rendered) {
  if (!line.action) return line.pieces.front() == rendered ? kSame : kNothing;
  if (line.only_action()) return kAction;
  return fits(line, rendered) ? kAround : kNothing;
}

}  // namespace

std::vector<std::uint32_t> lines_that_wrote(std::string_view rendered, std::string_view written) {
  const std::vector<std::string_view> made = split(rendered, '\n');
  std::vector<Line> lines;
  for (const std::string_view line : split(written, '\n')) lines.push_back(read_line(line));
  const bool long_lines = rendered.size() > kMostCompared / std::max(lines.size(), std::size_t{1});
  if (made.size() * lines.size() > kMostPairs || long_lines) return std::vector<std::uint32_t>(made.size(), 1);

  // The best way to each line of the template, made line by made line; `came` is the line before on it.
  std::vector<int> best(lines.size(), 0);
  std::vector<std::vector<std::uint32_t>> came(made.size(), std::vector<std::uint32_t>(lines.size(), 0));
  std::vector<int> next(lines.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::string_view text = trim(made[i]);
    const std::size_t top = static_cast<std::size_t>(std::ranges::max_element(best) - best.begin());
    int above = kUnreached;  // the best of the lines above, and which it is
    std::size_t above_at = 0;
    for (std::size_t j = 0; j < lines.size(); ++j) {
      const int here = best[j] + (lines[j].only_action() || i == 0 ? 0 : kStays);
      int value = best[top] + (i == 0 ? 0 : kBack);
      std::size_t from = top;
      if (above >= value) value = above, from = above_at;
      if (here >= value) value = here, from = j;
      next[j] = value + (text.empty() ? 0 : worth(lines[j], text));
      came[i][j] = static_cast<std::uint32_t>(from);
      if (best[j] >= above) above = best[j], above_at = j;
    }
    best.swap(next);
  }
  std::vector<std::uint32_t> out(made.size());
  std::size_t at = static_cast<std::size_t>(std::ranges::max_element(best) - best.begin());
  for (std::size_t i = made.size(); i-- > 0;) {
    out[i] = static_cast<std::uint32_t>(at + 1);
    at = came[i][at];
  }
  return out;
}

}  // namespace muster
