#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/discover.h"
#include "pipeline/git_ignore.h"

namespace muster {

/// Which paths the input would have if there were anything at them: those below a folder that was gone through, where
/// neither git nor muster.yaml leaves them out.
class Reach {
 public:
  explicit Reach(const Inputs& inputs);

  /// `path` as shown to users, normal.
  bool holds(std::string_view path) const;
  /// Whether something stands in the topmost folder of the path, or it has none: a whole tree that is not there is one
  /// that somebody clones or unpacks.
  bool has_top_of(std::string_view path) const;
  /// Whether the folder has a file whose name begins so.
  bool has_beginning(std::string_view folder, std::string_view begin) const;

 private:
  bool git_ignores(std::string_view path) const;

  const Inputs& inputs_;
  std::set<std::string, std::less<>> left_out_;
  std::map<std::string, IgnorePatterns, std::less<>> ignores_;  ///< by the folder they stand in
};

}  // namespace muster
