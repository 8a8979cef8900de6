#include "report/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kContextLines = 3;
// Beyond so many changed lines what differs is one block: the way to the shortest is remembered step by step.
constexpr std::int64_t kMostDiffLines = 1'000;

/// Lines with their ends.
std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

/// Lines [a, a_end) become [b, b_end).
struct Change {
  std::size_t a, a_end, b, b_end;
};

using Lines = std::vector<std::string_view>;

/// The shortest way from one to the other, by Myers: "An O(ND) Difference Algorithm and Its Variations" (1986).
std::vector<Change> changes_between(const Lines& a, const Lines& b, std::size_t begin, std::size_t a_end,
                                    std::size_t b_end) {
  const auto n = static_cast<std::int64_t>(a_end - begin);
  const auto m = static_cast<std::int64_t>(b_end - begin);
  const std::int64_t most = std::min(n + m, kMostDiffLines);
  std::vector<std::vector<std::int64_t>> ways;
  std::vector<std::int64_t> far(static_cast<std::size_t>(2 * most + 3), 0);
  const auto at = [&](std::int64_t k) -> std::int64_t& { return far[static_cast<std::size_t>(k + most + 1)]; };
  const auto same = [&](std::int64_t x, std::int64_t y) {
    return a[begin + static_cast<std::size_t>(x)] == b[begin + static_cast<std::size_t>(y)];
  };
  for (std::int64_t d = 0; d <= most; ++d) {
    ways.push_back(far);
    for (std::int64_t k = -d; k <= d; k += 2) {
      std::int64_t x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && same(x, x - k)) ++x;
      at(k) = x;
      if (x < n || x - k < m) continue;
      std::vector<Change> out;
      std::int64_t y = x - k;
      for (std::int64_t step = d; step > 0; --step) {
        far = ways[static_cast<std::size_t>(step)];
        const std::int64_t here = x - y;
        const bool down = here == -step || (here != step && at(here - 1) < at(here + 1));
        const std::int64_t from = down ? here + 1 : here - 1;
        const std::int64_t from_x = at(from);
        const std::int64_t from_y = from_x - from;
        const auto line = [&](std::int64_t i) { return begin + static_cast<std::size_t>(i); };
        out.push_back({line(from_x), line(down ? from_x : from_x + 1), line(from_y), line(down ? from_y + 1 : from_y)});
        x = from_x;
        y = from_y;
      }
      std::ranges::reverse(out);
      return out;
    }
  }
  return {{begin, a_end, begin, b_end}};
}

std::string range_text(std::size_t begin, std::size_t count) {
  // An empty range names the line before it.
  return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

void add_line(char mark, std::string_view line, std::string& out) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const Lines a = lines_in(before);
  const Lines b = lines_in(after);
  std::size_t begin = 0;
  while (begin < std::min(a.size(), b.size()) && a[begin] == b[begin]) ++begin;
  std::size_t a_end = a.size();
  std::size_t b_end = b.size();
  while (a_end > begin && b_end > begin && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  const std::vector<Change> changes = changes_between(a, b, begin, a_end, b_end);

  std::string out = "--- a/" + printable(path) + "\n+++ b/" + printable(path) + "\n";
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() && changes[last + 1].a - changes[last].a_end <= 2 * kContextLines) ++last;
    const std::size_t lead = std::min(kContextLines, changes[first].a);
    const std::size_t trail = std::min(kContextLines, a.size() - changes[last].a_end);
    const std::size_t a_begin = changes[first].a - lead;
    const std::size_t b_begin = changes[first].b - lead;
    out += "@@ -" + range_text(a_begin, changes[last].a_end + trail - a_begin) + " +" +
           range_text(b_begin, changes[last].b_end + trail - b_begin) + " @@\n";
    std::size_t at = a_begin;
    for (std::size_t i = first; i <= last;) {
      // Lines that go stand before those that come, also where the way takes turns.
      std::size_t end = i;
      while (end < last && changes[end + 1].a == changes[end].a_end && changes[end + 1].b == changes[end].b_end) ++end;
      for (; at < changes[i].a; ++at) add_line(' ', a[at], out);
      for (; at < changes[end].a_end; ++at) add_line('-', a[at], out);
      for (std::size_t j = changes[i].b; j < changes[end].b_end; ++j) add_line('+', b[j], out);
      i = end + 1;
    }
    for (; at < changes[last].a_end + trail; ++at) add_line(' ', a[at], out);
    first = last + 1;
  }
  return out;
}

}  // namespace muster
