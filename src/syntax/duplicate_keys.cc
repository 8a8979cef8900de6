#include "syntax/duplicate_keys.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace muster {
namespace {

constexpr std::size_t kMaxReported = 1000;

/// Whether each key of a mapping of a few is another: nearly always so, and told without sorting them.
bool all_differ(const Node& mapping) {
  std::array<std::string_view, 12> texts;
  const std::size_t count = mapping.size();
  if (count > texts.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    texts[i] = mapping.key(i).text();
    for (std::size_t before = 0; before < i; ++before) {
      if (texts[before].size() == texts[i].size() && texts[before] == texts[i]) return false;
    }
  }
  return true;
}

}  // namespace

void report_duplicate_keys(const Document& document, std::vector<Finding>& findings) {
  std::size_t reported = 0;
  std::vector<std::pair<std::string_view, std::size_t>> keys;
  for (const Node& mapping : document.mappings()) {
    if (all_differ(mapping)) continue;
    keys.clear();
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      const Node key = mapping.key(i);
      if (key.is_scalar() && key.text() != "<<") keys.emplace_back(key.text(), i);
    }
    std::ranges::sort(keys);
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].first != keys[i - 1].first) continue;
      if (++reported > kMaxReported) return;
      findings.push_back(problem("duplicate-key", mapping.key(keys[i].second).where(),
                                 "`" + std::string(keys[i].first) + "` is given twice"));
      findings.back().field = keys[i].first;
      findings.back().related.push_back({mapping.key(keys[i - 1].second).where(), "first given here"});
    }
  }
}

}  // namespace muster
