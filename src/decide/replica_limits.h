#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// Autoscalers that may make more replicas than there are GPUs for: above the quota of their namespace or ClusterQueue,
/// the limits of Karpenter's NodePools, the nodes of the fleet file. Quiet where a number is not known.
std::vector<Finding> replicas_above_limits(const Model& model);

}  // namespace muster
