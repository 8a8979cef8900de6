#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `node-pool-without-queued-provisioning`: Terraform makes node pools of GKE with flex_start, a manifest asks for
/// nodes by the class queued-provisioning.gke.io, and no pool of the input has that switched on.
void find_flex_start_pools(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
