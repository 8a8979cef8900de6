#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Slips in what workflow managers hand to Slurm: `nextflow-amount-repeated` of Nextflow's configurations and scripts,
/// `snakemake-key-removed` of profiles for Snakemake 8 and later.
void find_workflow_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
