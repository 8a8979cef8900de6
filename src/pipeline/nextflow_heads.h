#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `nextflow-head-shorter`: a batch job that runs Nextflow and has less time than a process of nextflow.config.
void find_short_heads(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
