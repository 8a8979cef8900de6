#pragma once

#include <string_view>

namespace muster {

/// Verbs of kubectl after which the objects of a manifest are there.
inline bool makes_objects(std::string_view verb) { return verb == "apply" || verb == "create" || verb == "replace"; }

}  // namespace muster
