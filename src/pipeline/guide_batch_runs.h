#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// A guide that runs a batch script of several nodes or tasks by itself instead of handing it to sbatch
/// (`guide-runs-batch-script`).
void find_guide_batch_runs(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
