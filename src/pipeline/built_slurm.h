#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-conf-where-nobody-looks`: Slurm is built with a prefix of its own, and slurm.conf is put into another folder
/// than the one that goes with it.
void find_built_slurm(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
