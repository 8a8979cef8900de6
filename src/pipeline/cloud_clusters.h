#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Files that a cloud makes Slurm clusters of: AWS ParallelCluster's configuration (`parallel-cluster-key-unknown`,
/// `parallel-cluster-script-without-access`, check_custom_slurm_settings) and blueprints of Google's Cluster Toolkit
/// (`toolkit-static-nodes-exclusive`). Linear in the texts.
void find_cloud_clusters(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
