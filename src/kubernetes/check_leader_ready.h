#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a LeaderWorkerSet whose workers are made when the leader is ready, which is ready when they have joined:
/// `leader-ready-waits-for-workers`. `spec`: of the set.
void check_leader_ready(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
