#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// A chart of the input that has the Namespace which a command of the input has Helm make first
/// (`chart-namespace-of-release`). Bounded.
void find_chart_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
