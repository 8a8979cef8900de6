#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Slips in what workflow managers hand to Slurm: `nextflow-amount-repeated` of Nextflow's configurations and scripts,
/// and those of snakemake_files.h and yaml_times.h.
void find_workflow_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
