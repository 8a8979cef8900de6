#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Objects of resource.k8s.io. The API server refuses requests, constraints and configurations that contradict each
/// other (`device-request-refused`) and selectors that do not compile (`device-selector-refused`). It takes selectors
/// whose evaluation fails (`device-selector-fails`), that read what a driver does not publish
/// (`device-attribute-unknown`) or leave out devices of the size they name (`device-memory-boundary`), and constraints
/// that no devices meet (`device-match-impossible`, `device-match-pcie-root`). Source:
/// kubernetes/kubernetes:pkg/apis/resource/validation/validation.go (1.37).
void check_claim(const Node& object, std::string_view api_version, std::string_view kind,
                 std::vector<Finding>& findings);

/// Claims that a pod lists in a way that is refused, and claims that its containers name and it does not list
/// (`pod-claim-refused`). Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go (1.36).
void check_pod_claims(const Node& pod, std::vector<Finding>& findings);

}  // namespace muster
