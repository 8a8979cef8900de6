#pragma once

#include <vector>

#include "kustomize/render.h"
#include "pipeline/discover.h"

namespace muster {

/// By FileId: whether a file holds parts of objects that others make whole, or that a test holds against whole ones. A
/// kustomization says so of the files that it names; of the others a folder or file name does, such as `patches`, or a
/// test of Chainsaw, KUTTL or Kyverno in their folder or above.
std::vector<bool> find_object_parts(const Inputs& inputs, const Renderings& renderings);

}  // namespace muster
