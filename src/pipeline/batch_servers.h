#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Model servers that batch scripts start, vLLM and SGLang: `sbatch-server-option-unknown`, an option that no release
/// has; `sbatch-server-below-gpus` and `sbatch-server-above-gpus`, a model on fewer or more GPUs than a node of the job
/// gives. Nothing of programs whose options come from somewhere else.
void find_batch_servers(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
