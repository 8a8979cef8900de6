#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What texts that become no objects have wrong, some of it against the sites. Of a model that is not linked yet.
void find_in_texts(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
