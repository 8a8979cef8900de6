#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `enroot-data-on-shared-files`: enroot.conf unpacks the images of all nodes into one folder that they share.
void find_enroot_paths(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
