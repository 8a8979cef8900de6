#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `local-image-pulled`: an image without a registry in its name that a text of the input builds, and a container that
/// the kubelet pulls it for all the same.
void find_pulled_images(const Inputs& inputs, std::vector<Finding>& findings);

/// Takes `container-image-floating` from images that the input builds itself and gives to no registry: nothing newer is
/// there to come.
void drop_of_built_images(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
