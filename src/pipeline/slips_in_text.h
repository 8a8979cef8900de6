#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Words of texts that stand in others, where no schema sees them: an operation that JSON patches do not have
/// (`json-patch-op-unknown`), and keys of Ray Serve's autoscaling_config in the spelling of Kubernetes
/// (`ray-serve-key-spelling`). Behind them all that is found in the texts of an input without its model, and is not
/// asked of excerpts, each as its own header says; what is asked of those, too, stands in read_model.cc.
void find_slips_in_text(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
