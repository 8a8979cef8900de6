#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `namespace-applied-late` of scripts: what goes into a namespace is given to kubectl in a line above the one that
/// makes it. Bounded.
void find_script_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
