#pragma once

#include <vector>

#include "facts/object_type.h"

namespace muster {

/// A collection for each row of manifest_defs(), and the types of their elements.
std::vector<Collection> manifest_collections();
std::vector<const ObjectType*> manifest_types();

}  // namespace muster
