#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What the API server takes and nobody minds: roles that grant nothing, directions of a policy that are not in force,
/// bounds of an autoscaler that cross, annotations of an Ingress for another controller or for none. Rules
/// role-grants-nothing, network-policy-direction-unused, autoscaler-bounds-crossed,
/// ingress-annotations-of-other-class, ingress-annotation-unknown.
void check_without_effect(const Node& object, std::string_view api_version, std::string_view kind,
                          std::vector<Finding>& findings);

}  // namespace muster
