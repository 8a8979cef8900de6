#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `monitor-of-other-release`: a ServiceMonitor that the Prometheus of kube-prometheus-stack does not take, since the
/// input installs that chart under a name which the monitor's label `release` does not have. Quiet where several names
/// are in use, or some file speaks of the selectors.
void find_unselected_monitors(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
