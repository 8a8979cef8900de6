#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// `slurm-default-memory-above-core`: nodes of a partition on which no job fits that does not say how much memory it
/// wants, once the site is resolved.
void check_default_memory(const SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
