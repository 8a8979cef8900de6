#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Words of texts that stand in others, where no schema sees them: an operation that JSON patches do not have
/// (`json-patch-op-unknown`), and keys of Ray Serve's autoscaling_config in the spelling of Kubernetes
/// (`ray-serve-key-spelling`). And what else is found in texts alone, each as its own header says: gpu_text_slips,
/// guide_batch_runs, pip_installs, terraform_releases.
void find_slips_in_text(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
