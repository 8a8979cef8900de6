#pragma once

#include "kustomize/tree.h"

namespace muster::kustomize {

/// Applies the operations of a JSON patch (RFC 6902), as github.com/evanphx/json-patch v4 does. False where one cannot
/// be applied.
bool apply_json_patch(Tree& object, const Tree& operations, Work& work);

}  // namespace muster::kustomize
