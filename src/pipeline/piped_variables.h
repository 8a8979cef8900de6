#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `INSTALL_K3S_EXEC=... curl ... | sh -`: the variable is one of curl, not of the script that the shell runs
/// (`script-variable-of-curl`).
void find_piped_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
