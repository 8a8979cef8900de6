#include "kubernetes/check_mig.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostLines = 100;  // of one layout

/// What one instance takes at least: of the slices of compute, of those of memory.
struct Slices {
  std::int64_t compute = 0;
  std::int64_t memory = 0;
  bool of_four = false;  ///< of a GPU with four of each: A30
};

/// 3g.40gb, 1g.10gb+me. Of a name that two GPUs have with different shares, the smaller one.
/// Source: NVIDIA's MIG user guide (r580), supported MIG profiles: 1g takes an eighth of the memory, or two, 2g two,
/// 3g and 4g four, 7g all; seven slices of compute are there. 1g.35gb is an eighth of a GB300, and two of an H200.
std::optional<Slices> slices_of(std::string_view profile) {
  constexpr std::array<std::string_view, 6> kTwoEighths{"1g.20gb", "1g.36gb", "1g.45gb",
                                                        "1g.47gb", "1g.67gb", "1g.70gb"};
  constexpr std::array<std::string_view, 3> kOfFour{"1g.6gb", "2g.12gb", "4g.24gb"};
  profile = profile.substr(0, profile.find('+'));
  if (profile.size() < 6 || profile.substr(1, 2) != "g." || !profile.ends_with("gb")) return std::nullopt;
  Slices out;
  out.compute = profile.front() - '0';
  out.of_four = std::ranges::find(kOfFour, profile) != kOfFour.end();
  switch (out.compute) {
    case 1: out.memory = std::ranges::find(kTwoEighths, profile) != kTwoEighths.end() ? 2 : 1; break;
    case 2: out.memory = 2; break;
    case 3:
    case 4: out.memory = 4; break;
    case 7: out.memory = 8; break;
    default: return std::nullopt;
  }
  return out;
}

struct Layout {
  std::int64_t compute = 0;
  std::int64_t memory = 0;
  bool of_four = false;

  /// `"3g.40gb": 2`
  void add(std::string_view entry) {
    constexpr std::int64_t kMost = 100;
    const std::size_t colon = entry.rfind(':');
    if (colon == entry.npos) return;
    std::string_view profile = trim(entry.substr(0, colon));
    if (profile.size() > 2 && (profile.front() == '"' || profile.front() == '\''))
      profile = profile.substr(1, profile.size() - 2);
    const std::optional<Slices> one = slices_of(profile);
    const std::optional<std::int64_t> count = parse_int(trim(entry.substr(colon + 1)));
    if (!one || !count || *count < 1 || *count > kMost) return;
    compute += one->compute * *count;
    memory += one->memory * *count;
    of_four = of_four || one->of_four;
  }

  bool is_possible() const { return of_four ? compute <= 4 : compute <= 7 && memory <= 8; }
};

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

Layout layout_behind(std::string_view line, std::string_view rest, std::size_t indent) {
  Layout out;
  if (const std::size_t open = line.find('{'); open != line.npos) {
    for (const std::string_view entry : split(line.substr(open + 1, line.find('}', open) - open - 1), ','))
      out.add(entry);
    return out;
  }
  std::size_t seen = 0;
  for (std::size_t at = 0; at < rest.size() && ++seen <= kMostLines;) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    std::string_view below = rest.substr(at, end - at);
    at = end + 1;
    below = below.substr(0, below.find('#'));
    if (trim(below).empty()) continue;
    if (indent_of(below) <= indent) break;
    out.add(below);
  }
  return out;
}

}  // namespace

void check_mig_layouts(std::string_view text, FileId file, std::vector<Finding>& findings) {
  constexpr std::string_view kKey = "mig-devices:";
  if (!contains(text, kKey)) return;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line = line.substr(0, line.find('#'));
    const std::size_t at = line.find(kKey);
    const std::size_t here = begin;
    begin = end + 1;
    if (at == line.npos || (!trim(line).ends_with(kKey) && !contains(line, "{"))) continue;
    const Layout layout = layout_behind(line, text.substr(std::min(begin, text.size())), at);
    if (layout.is_possible()) continue;
    const std::string least = layout.of_four      ? std::to_string(layout.compute) + " of 4 slices"
                              : layout.memory > 8 ? std::to_string(layout.memory) + " of 8 slices of memory"
                                                  : std::to_string(layout.compute) + " of 7 slices of compute";
    const auto where = static_cast<std::uint32_t>(here + at);
    findings.push_back(problem("mig-layout-impossible",
                               {file, where, where + static_cast<std::uint32_t>(kKey.size() - 1)},
                               "this layout takes " + least + " of a GPU"));
  }
}

}  // namespace muster
