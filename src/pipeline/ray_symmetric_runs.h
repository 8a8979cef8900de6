#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `ray-symmetric-run-refused`: `ray symmetric-run` of a shell script without what it wants, or with an option of
/// `ray start` that it gives itself.
void find_symmetric_runs(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
