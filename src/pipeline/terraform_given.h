#pragma once

#include <set>
#include <string_view>

#include "pipeline/discover.h"

namespace muster {

/// Variables of Terraform that something of the input gives: files of values, Terragrunt, stacks of Atmos, a module
/// call other than that of a public module, the environment and commands. By name, whatever the folder. The input is
/// read when the first of them is asked for.
class TerraformGiven {
 public:
  explicit TerraformGiven(const Inputs& inputs) : inputs_(inputs) {}

  bool contains(std::string_view name);
  /// Whether something gives `null`.
  bool has_null(std::string_view name);

 private:
  void read();
  void read_commands(std::string_view text);
  void read_values(std::string_view text);
  void read_calls(std::string_view text);

  const Inputs& inputs_;
  bool read_ = false;
  std::set<std::string_view> names_;
  std::set<std::string_view> nulls_;
};

}  // namespace muster
