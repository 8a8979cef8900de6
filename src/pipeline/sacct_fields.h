#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `sacct-field-removed`: a command of sacct, in any text, that asks for AllocGRES or ReqGRES. One a file.
void find_removed_sacct_fields(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
