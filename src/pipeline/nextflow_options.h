#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `nextflow-options-of-other-scheduler`: clusterOptions of LSF, PBS or Grid Engine that go to sbatch: in a
/// configuration whose executor is slurm, or in one that every profile takes beside a profile for slurm.
void find_nextflow_options(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
