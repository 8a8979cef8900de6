#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-log-followed-elsewhere`: `tail -f` of a log of Slurm's that slurm.conf writes to another place.
void find_followed_logs(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
