#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-conf-where-nobody-looks`: Slurm is built with a prefix of its own, and slurm.conf is put into another folder
/// than the one that goes with it. `slurm-mpi-default-not-built`: PMIx is the default, and packages are built without.
void find_built_slurm(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
