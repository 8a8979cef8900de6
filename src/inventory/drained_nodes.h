#pragma once

#include <vector>

#include "inventory/dump.h"

namespace muster {

/// Nodes that one of Slurm and Kubernetes has taken out of service and the other goes on using, by their dumps.
void report_one_sided_drains(const std::vector<Dump>& dumps, std::vector<Finding>& findings);

}  // namespace muster
