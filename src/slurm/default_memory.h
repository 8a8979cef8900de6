#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// `slurm-default-memory-above-core`: nodes of a partition on which no job fits that does not say how much memory it
/// wants, once the site is resolved; `slurm-partition-memory-above-node`: none of them fits such a job for all its
/// CPUs, where partitions have defaults of their own.
void check_default_memory(const SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
