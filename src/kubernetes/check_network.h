#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a NetworkAttachmentDefinition of SR-IOV that does not say which resource its devices are
/// (`network-without-resource`), and one whose addresses each node counts by itself (`network-addresses-per-node`).
void check_network(const Node& object, std::vector<Finding>& findings);

}  // namespace muster
