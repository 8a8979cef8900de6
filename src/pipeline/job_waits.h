#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `script-wait-misses-failure`: a script or Makefile that waits minutes for a Job to be complete, and for nothing that
/// a failed one has. The first of each file. Linear in the texts.
void find_job_waits(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
