#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "facts/object_type.h"

namespace muster {

/// A collection for each row of manifest_defs(), and the types of their elements.
std::vector<Collection> manifest_collections();

/// The manifests of a model by what they are: as many lists as manifest_defs() has.
std::vector<std::vector<const void*>> manifests_by_def(const Model& model);
/// Names of the collections of which the model has an object.
void add_collections_in(const Model& model, std::set<std::string_view>& out);
/// Which of manifest_defs() a collection holds; nothing for one that holds no manifests.
std::optional<std::size_t> manifest_def_of(const Collection& collection);
std::vector<const ObjectType*> manifest_types();

}  // namespace muster
