#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// `slurm-max-memory-below-default`: MaxMemPerCPU or MaxMemPerNode, of the site or of a partition, below what a job
/// gets that asks for no memory.
void check_memory_limits(const SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
