#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `script-mca-name-in-capitals`: one of Open MPI's in capitals, which it does not read.
/// `script-nccl-variable-unread`: a shell script sets a variable that is said to be NCCL's and that NCCL does not read,
/// and no other file of the input has its name.
void find_invented_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
