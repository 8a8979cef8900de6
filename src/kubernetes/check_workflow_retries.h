#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports steps of a Workflow of Argo on nodes that may be taken away, whose `retryStrategy` does not try again what
/// was lost with its node: `workflow-retries-no-lost-pod`.
void check_workflow_retries(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
