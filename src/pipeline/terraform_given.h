#pragma once

#include <set>
#include <string_view>

#include "pipeline/discover.h"

namespace muster {

/// Variables of Terraform that something of the input gives: files of values, Terragrunt, a module of the input that
/// calls another, the environment and commands. By name, whatever the folder.
class TerraformGiven {
 public:
  explicit TerraformGiven(const Inputs& inputs);

  bool contains(std::string_view name) const { return names_.contains(name); }
  /// Whether something gives `null`.
  bool has_null(std::string_view name) const { return nulls_.contains(name); }

 private:
  void read_commands(std::string_view text);
  void read_values(std::string_view text);
  void read_calls(std::string_view text);

  std::set<std::string_view> names_;
  std::set<std::string_view> nulls_;
};

}  // namespace muster
