#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports names of resources of a container that are nearly those of a device plugin, and nobody's, and requests above
/// their limits.
void check_resources(const Node& container, std::vector<Finding>& findings);

}  // namespace muster
