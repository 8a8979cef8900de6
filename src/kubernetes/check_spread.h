#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports topologySpreadConstraints of a pod template whose selector its own labels do not match:
/// `spread-selects-other-pods`. `labelled`: whether an operator gives the pods more labels than the template has.
void check_spread(const Node& pod_template, bool labelled, std::vector<Finding>& findings);

}  // namespace muster
