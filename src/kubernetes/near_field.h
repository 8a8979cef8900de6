#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kubernetes/field_table.h"
#include "syntax/document.h"

namespace muster {

/// The fields of a tree that a mapping does not have yet.
std::vector<std::string_view> absent_fields(const FieldTable::Tree& tree, const Node& node);

/// A field, not there yet, that is spelt nearly so or is the same with a word in front: `secretName` for `name`.
std::optional<std::string_view> nearest_field(std::string_view name, const FieldTable::Tree& tree, const Node& node);

/// How many keys of a mapping are no fields of a tree.
std::size_t unknown_keys(const Node& node, const FieldTable::Tree& tree);

}  // namespace muster
