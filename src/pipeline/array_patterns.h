#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `sbatch-array-pattern-alone`: %a in the output of a batch script that nothing in the input makes an array.
void find_array_patterns(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
