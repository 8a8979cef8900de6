#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Finds the commands of shell scripts that give scripts of the input to sbatch, and what is amiss with them. Names
/// that only the run knows and absolute paths are left out. Arrays that MaxArraySize does not allow are findings, those
/// of batch scripts among them.
void find_submit_calls(const Inputs& inputs, Model& model, std::vector<Finding>& findings);

}  // namespace muster
