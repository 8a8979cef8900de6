#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "finding/matching.h"
#include "input/artifact.h"
#include "pipeline/discover.h"

namespace muster {

/// How a file or folder, as it is shown, is called in keys.
using PlaceName = std::function<std::string(const std::string& shown)>;

/// Makes keys of the findings of one input, and knows what its files hold.
class FindingKeys {
 public:
  FindingKeys(const Inputs& inputs, const std::vector<ParsedFile>& parsed, PlaceName name);

  /// The key of one finding. A finding that names no object is about the Kubernetes object that its place is in.
  KeyedFindings key_of(const Finding& finding) const;
  std::vector<KeyedFindings> keys_of(const std::vector<Finding>& findings) const;
  /// Whether a file, as keys call it, is in the input and holds that Kubernetes object; of other objects, whether it is
  /// in the input.
  bool holds(const std::string& file, const std::string& object) const;
  bool has_file(const std::string& file) const { return files_.contains(file); }

 private:
  void note_objects(const Node& node, const std::string& file, int depth);
  std::string renamed(const std::string& object, bool& named) const;

  const Inputs& inputs_;
  const std::vector<ParsedFile>& parsed_;
  PlaceName name_;
  std::set<std::string, std::less<>> places_;  ///< files of the input and their folders, as they are shown
  std::set<std::string> files_;                ///< as keys call them
  std::set<std::pair<std::string, std::string>> objects_;
};

}  // namespace muster
