#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// `server-model-not-given` of an InferenceService: neither it nor the runtime of the input that it names tells vLLM
/// which model to load.
void find_unnamed_models(const Model& model, std::vector<Finding>& findings);

}  // namespace muster
