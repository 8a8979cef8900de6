#pragma once

#include "kustomize/tree.h"

namespace muster::kustomize {

/// Applies a strategic-merge patch: lists of built-in kinds meet by their keys, new items first, those of others are
/// replaced; null deletes, and so does `$patch: delete`. The object is null where the patch deletes it. False where
/// kustomize refuses it. Source: sigs.k8s.io/kustomize/kyaml v0.21.1, yaml/merge2 and yaml/walk.
bool merge_patch(Tree& object, Tree patch, Work& work);

}  // namespace muster::kustomize
