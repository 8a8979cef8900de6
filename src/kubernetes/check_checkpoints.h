#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a Job whose pods are made anew and go on from checkpoints that lie in an emptyDir of the pod before:
/// `checkpoint-gone-with-pod`. `job`: its spec.
void check_checkpoints(const Node& job, std::vector<Finding>& findings);

}  // namespace muster
