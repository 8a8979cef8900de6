#pragma once

#include <string_view>

namespace muster {

/// Whether a text speaks of nodes that are made or labelled otherwise than by pools of Terraform, or of what gives pods
/// tolerations and selectors that their own file does not have. In doubt it does.
bool speaks_of_other_nodes(std::string_view text, bool terraform);

/// Whether a type of resource of Terraform makes nodes in a way that is not read.
bool makes_other_nodes(std::string_view resource);

/// Whether a module of elsewhere is known to make none.
bool is_module_without_nodes(std::string_view source);

}  // namespace muster
