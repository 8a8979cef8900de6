#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What scripts ask of a cluster by names that are not there: `script-waits-for-nothing`, the rollout of an object that
/// none of the manifests that the script applies makes, and `script-names-one-pod`, a pod by the name that its
/// Deployment once gave it.
void find_awaited_objects(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
