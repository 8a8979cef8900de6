#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `application-ignores-and-applies`: Applications of Argo CD that ignore a number of replicas where they compare, and
/// write it all the same.
void find_application_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
