#pragma once

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Model::cloud_pools of what Terraform makes in the input, and Model::other_nodes: nodes that it makes in a way that
/// is not read here, or to which something gives labels.
void note_terraform_pools(const Inputs& inputs, Model& model);

}  // namespace muster
