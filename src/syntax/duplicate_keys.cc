#include "syntax/duplicate_keys.h"

#include <algorithm>
#include <string>
#include <utility>

namespace muster {
namespace {

constexpr std::size_t kMaxReported = 1000;

/// What an object says of itself in `metadata.annotations`, written twice, or a key there: kustomize sets them anew, and
/// then they are one.
bool is_own_annotation(const Node& root, const Node& mapping, std::string_view key) {
  const Node metadata = root["metadata"];
  return mapping.where() == metadata["annotations"].where() ||
         (key == "annotations" && mapping.where() == metadata.where());
}

}  // namespace

void report_duplicate_keys(const Document& document, std::vector<Finding>& findings) {
  std::size_t reported = 0;
  std::vector<std::pair<std::string_view, std::size_t>> keys;
  for (const Node& mapping : document.mappings_with_like_keys()) {
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
      findings.back().field = is_own_annotation(document.root(), mapping, keys[i].first) ? "metadata.annotations"
                                                                                         : std::string(keys[i].first);
      findings.back().related.push_back({mapping.key(keys[i - 1].second).where(), "first given here"});
    }
  }
}

}  // namespace muster
