#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// What cannot be true of workloads and the fleet together: shares above one, tenants and pools that nobody has, more
/// GPUs than a node has, jobs larger than where they would run, descriptions of hardware that the schedulers' files of
/// the same input do not follow, and autoscalers that go beyond what there is. Quiet where a number is not known, or
/// with several fleet files.
std::vector<Finding> implausible(const Model& model, const Targets& targets);

}  // namespace muster
