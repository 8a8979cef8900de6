#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `hyperpod-group-unknown`: groups of a provisioning_parameters.json of SageMaker HyperPod that the cluster which has
/// others of them does not have.
void find_instance_groups(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
