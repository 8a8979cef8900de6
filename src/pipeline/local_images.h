#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// The images that texts of the input build, without a registry in their names. What was found out stays for the next
/// question: the inputs are those of one check.
class LocalImages {
 public:
  /// `local-image-pulled`: such an image, and a container that the kubelet pulls it for all the same.
  void find_pulled(const Inputs& inputs, std::vector<Finding>& findings);

  /// Takes `container-image-floating` from such images that are given to no registry: nothing newer is there to come.
  void drop_floating(const Inputs& inputs, std::vector<Finding>& findings);

 private:
  const std::set<std::string, std::less<>>& built(const Inputs& inputs);
  /// Whether the image is built here, and nothing gives it another name.
  bool is_only_built(const Inputs& inputs, std::string_view name);
  void find_in_manifests(FileId file, const Inputs& inputs, std::vector<Finding>& findings);

  std::optional<std::set<std::string, std::less<>>> built_;
  std::map<std::string, bool, std::less<>> renamed_;
};

}  // namespace muster
