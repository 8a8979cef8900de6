#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `torchrun-option-unknown`, an option that no release of torchrun has, and `torchrun-backend-unknown`, a rendezvous
/// backend that is none: in scripts, and in commands of manifests, whatever their form. Nothing of what only a run
/// knows.
void find_torchrun_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
