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

/// Whether a container runs as another user than root, as far as it is written. Its processes have none of the
/// capabilities that are added. Source: kubernetes/enhancements#2763 (ambient capabilities are not set).
bool is_kept_from_root(const Node& pod, const Node& container);

/// A livenessProbe beside accelerators that ends a container at its first late answer: `liveness-fails-at-once`. `node`:
/// a container, or a service of Dynamo, which has both, too.
void check_liveness(const Node& node, std::vector<Finding>& findings);

}  // namespace muster
