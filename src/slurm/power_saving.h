#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// `slurm-suspend-time-infinite`: power saving is set up, for nodes that only it starts, and switched off.
void check_power_saving(const SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
