#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `submitit-one-task-for-gpus`: a configuration of Hydra's launcher for Slurm that asks for several GPUs of a node and
/// one task, in a repository of Lightning's.
void find_submitit_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
