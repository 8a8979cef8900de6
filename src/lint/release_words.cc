#include "lint/release_words.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

std::string release_words(const std::string& target, const std::vector<Version>& releases,
                          const std::vector<bool>& fires, bool begins) {
  std::vector<std::string> stretches;
  for (std::size_t begin = 0; begin < fires.size(); ++begin) {
    if (!fires[begin]) continue;
    std::size_t end = begin;
    while (end + 1 < fires.size() && fires[end + 1]) ++end;
    const std::string first(releases[begin].text());
    const std::string last(releases[end].text());
    const bool single = std::ranges::count(fires, true) == static_cast<std::ptrdiff_t>(end - begin + 1);
    if (single && end + 1 == fires.size()) return "from " + target + " " + first + " on";
    if (single && begin == 0 && !begins) return "up to " + target + " " + last;
    stretches.push_back(begin == end ? first : first + " to " + last);
    begin = end;
  }
  return "with " + target + " " + join(stretches, ", ");
}

}  // namespace muster
