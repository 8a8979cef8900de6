#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

struct FoundCharts;

/// Holds the values of each Helm chart of the input against its templates. A chart counts only where all of it was
/// found: named by its folder or by one above, and nothing in it left out.
void check_charts(FoundCharts& charts, const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
