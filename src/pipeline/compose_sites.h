#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/compose_parts.h"
#include "pipeline/discover.h"

namespace muster {

/// What the containers of Compose are to a Slurm site of the input: `slurm-node-without-container`,
/// `slurm-container-without-gpus`, `slurm-container-fewer-gpus`, `slurm-controller-called-otherwise`,
/// `slurm-state-in-container`, `slurm-container-below-node`.
void find_containers_of_sites(const Inputs& inputs, const Model& model, const std::vector<ComposeFile>& files,
                              std::vector<Finding>& findings);

}  // namespace muster
