#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Commands of kubectl in guides (code blocks of Markdown), scripts and recipes of make and just that cannot do what
/// they say: `kubectl-file-behind-file`, `-f a.yaml b.yaml` and `-f *.yaml` where the input has several;
/// `kubectl-applies-generated-name`, a file of which no object has a name of its own; `ray-cluster-name-guessed`, the
/// Service or the label of a cluster by the name of a RayJob. Bounded.
void find_kubectl_slips(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
