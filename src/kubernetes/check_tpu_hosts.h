#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a worker group of Ray whose `numOfHosts` is not what its TPU topology and the chips of a pod say:
/// `ray-hosts-differ-from-slice`.
void check_tpu_hosts(const Node& group, std::vector<Finding>& findings);

}  // namespace muster
