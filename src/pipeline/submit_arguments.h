#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `submit-without-arguments`: a script that gives another of the input to sbatch without the arguments without which
/// that one ends.
void find_missing_arguments(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
