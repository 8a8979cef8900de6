#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `network-policy-selects-no-namespace`: a NetworkPolicy selects a namespace by the label `name`, which that has not.
/// Of namespaces of the input without the label, and of such as every cluster has. Quiet where some text gives a
/// namespace the label.
void find_policy_spaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
