#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports an image whose reference no registry takes (`container-image-invalid`), fields of the pod that a variable
/// cannot have (`variable-field-unsupported`), variables that look like one of NCCL's but are none
/// (`nccl-variable-unknown`), and probes at a port whose name the container does not have (`probe-port-name-unknown`).
/// Placeholders are nothing to report.
void check_container(const Node& container, std::vector<Finding>& findings);

}  // namespace muster
