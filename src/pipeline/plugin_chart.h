#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `plugin-chart-selects-no-node`: NVIDIA's device plugin is installed by its chart, whose pods go to nodes with
/// certain labels alone, and no text of the input speaks of those labels or of what sets them.
void find_plugin_chart(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
