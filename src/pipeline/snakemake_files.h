#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `snakemake-key-removed` of profiles for Snakemake 8 and later, told by their name or by the Snakefile that they are
/// for; `snakemake-attempts-beyond-list` of lists that restarts go beyond, `snakemake-attempts-never-made` of those
/// that no restart comes to; `snakemake-job-name` and
/// `snakemake-extra-refused`, options in slurm_extra that its plugin for Slurm refuses.
void find_snakemake_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
