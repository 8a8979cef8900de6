#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `sbatch-variable-read-early`: a variable of the job in `sbatch --wrap="..."`, which the submitting shell puts in.
void find_early_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
