#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-state-on-async-export`: StateSaveLocation lies in a folder that a line of the input exports with `async`.
void find_state_exports(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
