#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// CustomSlurmSettings of ParallelCluster: `parallel-cluster-setting-denied`, a key that it keeps for itself at that
/// level; `parallel-cluster-setting-of-other-level`, a key of partitions at a compute resource, or one of nodes at a
/// queue.
void find_custom_slurm_settings(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
