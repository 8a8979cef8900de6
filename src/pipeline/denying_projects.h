#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `application-project-denies-kind`: an AppProject of Argo CD that lists no kinds of the cluster, and an Application
/// of it whose folder or chart makes one.
void find_denying_projects(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
