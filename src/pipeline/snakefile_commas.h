#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `snakefile-comma-missing`: two named items of a rule of Snakemake without a comma between them.
void find_missing_commas(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
