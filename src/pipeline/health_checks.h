#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `health-check-unknown`: checks in the configuration of Node Health Check that are slips of those it has.
void find_health_check_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
