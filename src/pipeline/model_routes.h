#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `route-cuts-long-answers` and `gateway-health-check-of-root`: what stands between the users of a model server and
/// its Service, a Route of OpenShift, an Ingress of nginx or a Gateway of GKE, and is left as it is for short answers.
void find_model_routes(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
