#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Whose word on a variable of a role a file is; the greater one counts.
/// Source: docs.ansible.com, "Using variables", understanding variable precedence.
enum class PlaybookRank { None, Defaults, Vars, Others };

/// The folder of a role that a template lies in, with its `/`: what stands before `templates/` or `files/`.
std::optional<std::string> playbook_role_of(std::string_view path);

/// None: what a role is tried with says nothing about those who use it, nor do other roles.
PlaybookRank playbook_rank(std::string_view path, std::string_view role);

/// Whether a file may give variables: YAML or an inventory.
bool may_set_variables(std::string_view path);

/// Whether it has nothing but variables, which begin in the first column.
bool has_variables_alone(std::string_view path);

}  // namespace muster
