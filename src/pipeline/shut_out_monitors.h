#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `network-policy-shuts-out-monitor`: a ServiceMonitor asks pods that a NetworkPolicy lets others ask, and no policy
/// of theirs lets anybody in who may be Prometheus.
void find_shut_out_monitors(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
