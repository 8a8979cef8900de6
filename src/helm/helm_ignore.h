#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster::helm {

/// Which files a .helmignore keeps out of a chart. Source: helm/helm:pkg/ignore/rules.go (3.19).
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);
  /// `path`: of a file, below the chart.
  bool ignores(const std::string& path) const;

 private:
  struct Pattern {
    std::string glob;
    bool negated = false;
    bool folder = false;  ///< folders alone
    bool whole = false;   ///< it is held against the path, not against the last name
  };
  bool ignores(const std::string& path, bool folder) const;

  std::vector<Pattern> patterns_;
};

}  // namespace muster::helm
