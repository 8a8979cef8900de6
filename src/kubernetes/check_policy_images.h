#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// A part of a ClusterPolicy with a repository or version of its image, and not all that names one
/// (`gpu-operator-image-partial`). Source: NVIDIA/gpu-operator:api/nvidia/v1/clusterpolicy_types.go, imagePath (26.7).
void check_policy_images(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
