#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// `flux-empties-script-variable`: a ConfigMap in the folder of a Kustomization of Flux that fills in variables has a
/// script with a `${NAME}` of its own, which is filled in, too.
void find_emptied_variables(const Model& model, std::vector<Finding>& findings);

}  // namespace muster
