#include "syntax/duplicate_keys.h"

#include <algorithm>
#include <string>
#include <utility>

namespace muster {
namespace {

// Deeper than any configuration; also ends walks over aliases that contain themselves, and alias bombs.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxVisits = 2'000'000;

class Walk {
 public:
  explicit Walk(std::vector<Finding>& findings) : findings_(findings) {}

  void visit(const Node& node, int depth) {
    if (depth > kMaxDepth || ++visits_ > kMaxVisits) return;
    if (node.is_sequence()) {
      for (std::size_t i = 0; i < node.size(); ++i) visit(node.item(i), depth + 1);
      return;
    }
    if (!node.is_mapping()) return;
    report(node);
    for (std::size_t i = 0; i < node.size(); ++i) visit(node.value(i), depth + 1);
  }

 private:
  void report(const Node& mapping) {
    std::vector<std::pair<std::string_view, std::size_t>> keys;
    keys.reserve(mapping.size());
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      const Node key = mapping.key(i);
      if (key.is_scalar() && key.text() != "<<") keys.emplace_back(key.text(), i);
    }
    std::ranges::sort(keys);
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].first != keys[i - 1].first) continue;
      findings_.push_back(problem("duplicate-key", mapping.key(keys[i].second).where(),
                                  "`" + std::string(keys[i].first) + "` is given twice"));
      findings_.back().field = keys[i].first;
      findings_.back().related.push_back({mapping.key(keys[i - 1].second).where(), "first given here"});
    }
  }

  std::vector<Finding>& findings_;
  std::size_t visits_ = 0;
};

}  // namespace

void report_duplicate_keys(const Node& root, std::vector<Finding>& findings) { Walk(findings).visit(root, 0); }

}  // namespace muster
