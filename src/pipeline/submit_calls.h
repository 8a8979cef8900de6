#pragma once

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Finds the commands of shell scripts that give scripts of the input to sbatch, and what is amiss with them. Names
/// that only the run knows and absolute paths are left out.
void find_submit_calls(const Inputs& inputs, Model& model);

}  // namespace muster
