#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Lines of shell scripts that were to go on and do not, in commands that launch jobs, containers, training or servers,
/// also where no batch job calls the script. Not in templates.
void find_launch_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
