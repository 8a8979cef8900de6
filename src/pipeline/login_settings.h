#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `sbatch-variable-overrides-script`: a file that every login shell reads exports SBATCH_TIMELIMIT or its like, and
/// batch scripts of the input ask for another value.
void find_login_settings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
