#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `script-launch-config-missing`: a shell script starts a program of the input with a configuration of accelerate's or
/// DeepSpeed's that the input does not have.
void find_missing_launch_configs(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
