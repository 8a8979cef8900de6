#pragma once

#include "kustomize/patches.h"

namespace muster::kustomize {

/// An entry of `replacements`: the value of a field of one object, written into fields of others. By `path`: the file
/// that holds such entries. Values within texts of YAML or JSON are left to kustomize: false.
bool replace_values(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work);

}  // namespace muster::kustomize
