#pragma once

#include <set>
#include <string>

#include "pipeline/discover.h"
#include "pipeline/terraform_folders.h"

namespace muster {

/// Folders that are applied with modules of others, which may keep a provider to a release themselves: `Azure/network`
/// has `azurerm < 4.0`. Source: developer.hashicorp.com/terraform/language/expressions/version-constraints: all of one
/// run must hold.
class ModulesOfOthers {
 public:
  explicit ModulesOfOthers(const Inputs& inputs);

  /// Also true where that is not known.
  bool bounds(const std::string& folder);

 private:
  TerraformFolders folders_;
  std::set<std::string> bounded_;
  bool unknown_ = false;  ///< who applies one of them
};

}  // namespace muster
