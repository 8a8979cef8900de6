#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `ray start` in shell scripts: `sbatch-ray-start-returns`, one that a step runs and that does not hold the step;
/// `sbatch-ray-port-differs`, a worker that joins at another port than the head of its script, or of its folder,
/// listens at.
void find_ray_starts(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
