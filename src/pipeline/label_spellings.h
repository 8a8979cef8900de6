#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `node-label-value-misspelt`: pods or a ResourceFlavor want a value of a label that no text gives a node, where one
/// sets it to the same letters otherwise written: `team=ml_inf` and `team: ml-inf`. Bounded.
void find_label_spellings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
