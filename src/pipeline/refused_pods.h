#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Pods in a namespace of their bundle that enforces a Pod Security Standard: `pod-security-host-access`, what no
/// standard but `privileged` allows; `pod-security-fields-missing`, what `restricted` wants said. Nothing of the latter
/// where the input shows OpenShift, or something else that changes pods on their way in.
void find_refused_pods(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
