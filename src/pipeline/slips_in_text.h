#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Words of texts that stand in others, where no schema sees them: an operation that JSON patches do not have
/// (`json-patch-op-unknown`), and keys of Ray Serve's autoscaling_config in the spelling of Kubernetes
/// (`ray-serve-key-spelling`). Linear in the texts.
void find_slips_in_text(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
