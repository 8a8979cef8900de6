#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// CustomSlurmSettings of a configuration of ParallelCluster: `parallel-cluster-setting-denied`, a key that it keeps
/// for itself at that level, where it looks (`validated`); `parallel-cluster-setting-of-other-level`, a key of
/// partitions at a compute resource, or one of nodes at a queue.
void check_custom_slurm_settings(const Node& cluster, bool validated, std::vector<Finding>& findings);

}  // namespace muster
