#include "report/folding.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace muster {
namespace {

/// Findings of one rule that are shown in full for one file or object, in different words.
constexpr std::size_t kShownEach = 3;

/// Where a cause was shown last, and how often.
struct Shown {
  std::size_t group = 0;
  std::size_t times = 0;
};

class Folding {
 public:
  std::vector<FoldedFinding> run(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      if (FoldedFinding* group = group_for(finding)) {
        group->more.push_back(&finding);
      } else {
        show(finding);
      }
    }
    return std::move(out_);
  }

 private:
  using Words = std::tuple<std::string_view, Severity, std::string_view>;
  using Place = std::tuple<std::string_view, Severity, FileId>;

  FoldedFinding* group_for(const Finding& finding) {
    const auto words = words_.find(Words{finding.rule, finding.severity, finding.message});
    if (words != words_.end()) return &out_[words->second];
    const auto file = files_.find(Place{finding.rule, finding.severity, finding.where.file});
    if (file != files_.end() && file->second.times >= kShownEach) return &out_[file->second.group];
    const auto object =
        finding.object.empty() ? objects_.end() : objects_.find(Words{finding.rule, finding.severity, finding.object});
    if (object != objects_.end() && object->second.times >= kShownEach) return &out_[object->second.group];
    return nullptr;
  }

  void show(const Finding& finding) {
    const std::size_t group = out_.size();
    out_.push_back({&finding, {}});
    words_.try_emplace(Words{finding.rule, finding.severity, finding.message}, group);
    Shown& file = files_[Place{finding.rule, finding.severity, finding.where.file}];
    file = {group, file.times + 1};
    if (finding.object.empty()) return;
    Shown& object = objects_[Words{finding.rule, finding.severity, finding.object}];
    object = {group, object.times + 1};
  }

  std::vector<FoldedFinding> out_;
  struct HashOfWords {
    std::size_t operator()(const Words& words) const {
      const std::hash<std::string_view> hash;
      return hash(std::get<0>(words)) * 31 + hash(std::get<2>(words)) + static_cast<std::size_t>(std::get<1>(words));
    }
  };

  std::unordered_map<Words, std::size_t, HashOfWords> words_;
  std::map<Place, Shown> files_;
  std::unordered_map<Words, Shown, HashOfWords> objects_;
};

}  // namespace

std::vector<FoldedFinding> fold_findings(const std::vector<Finding>& findings) { return Folding().run(findings); }

}  // namespace muster
