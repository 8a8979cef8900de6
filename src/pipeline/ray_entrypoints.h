#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `ray-entrypoint-misplaced`: a script submits a Ray job from a folder of the input, with a program that stands in
/// another one.
void find_ray_entrypoints(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
