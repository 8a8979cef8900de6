#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Model servers that plan for more memory than they get together, on GPUs whose time is sliced
/// (`server-memory-of-sliced-device`).
void find_servers_on_slices(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
