#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-script-without-shebang`: scripts that a slurm.conf names (Prolog, Epilog, HealthCheckProgram ...) and that
/// stand in its folder or below, but do not begin with `#!`; and what Prolog and Epilog do wrong (slurm/epilog_slips).
void find_site_scripts(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
