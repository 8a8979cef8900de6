#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a `primaryContainerName` of an Experiment of Katib that no container of its trials is called:
/// `katib-primary-container-missing`.
void check_experiment(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
