#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `kustomization-leaves-file-out`: a manifest that lies beside a kustomization and most of what that lists, and whose
/// name stands in no text of the input. Not where it may be for somebody's own hands: examples, secrets, values.
void find_unlisted_manifests(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
