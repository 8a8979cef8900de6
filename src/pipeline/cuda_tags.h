#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `cuda-image-tag-gone`: an image of CUDA that Docker Hub has not, in a Dockerfile, a command of a script, workflow or
/// guide, or in `image:` of YAML. What containers with devices take is asked by `container-image-tag-gone`.
void find_cuda_tags(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
