#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-gather-key-without-plugin`: keys of an acct_gather.conf whose plugin the slurm.conf beside it does not load.
void find_gather_settings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
