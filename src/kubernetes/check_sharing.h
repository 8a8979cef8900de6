#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a configuration of NVIDIA's device plugin in the data of a ConfigMap that shares a GPU among fewer than two
/// (`sharing-replicas-few`).
void check_sharing(const Node& data, std::vector<Finding>& findings);

}  // namespace muster
