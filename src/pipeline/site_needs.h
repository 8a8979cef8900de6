#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What other files of the input do on the nodes of its only site, and what slurm.conf does not have for it:
/// `slurm-configless-off`, `slurm-adopt-without-contain` and `gres-auto-detect-without-nvml`.
void find_site_needs(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
