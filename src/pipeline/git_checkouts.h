#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `git checkout -b v1.2` of a clone in a script or Dockerfile, which makes a branch of that name where the release was
/// meant (`checkout-makes-branch`).
void find_git_checkouts(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
