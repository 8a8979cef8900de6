#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Triton's model repositories: `triton-data-type-unknown`, a word for a type of data that a config.pbtxt cannot have,
/// and `triton-config-misplaced`, one in the folder of a version.
void find_triton_models(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
