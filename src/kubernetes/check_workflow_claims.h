#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports steps of Argo Workflows that run at the same time on accelerators and mount one claim which a single node
/// may mount: `workflow-claim-of-one-node`. `spec`: of a Workflow or its template.
void check_workflow_claims(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
