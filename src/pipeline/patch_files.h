#pragma once

#include <vector>

#include "pipeline/discover.h"

namespace muster {

/// By FileId: whether a file holds parts of objects for Kustomize to merge, not whole ones. A kustomization says so of
/// the files that it names; of the others a folder or file name with the word `patch` or `overlay` does.
std::vector<bool> find_patch_files(const Inputs& inputs);

}  // namespace muster
