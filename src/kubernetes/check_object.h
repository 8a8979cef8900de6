#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What the API server refuses in objects whose fields are right one by one: a restart policy that the kind does not
/// have (`restart-policy-unsupported`), a selector that its own pods do not match (`pod-selector-mismatch`), mounts of
/// volumes that the pod does not have (`volume-mount-undefined`), a Service without ports and accounts of a
/// ClusterRoleBinding without a namespace (`field-missing`), names and ports (check_names), claims of devices
/// (check_claim). It takes, but nothing ever fills, an emptyDir that each container mounts read-only
/// (`empty-volume-read-only`), and containers that the kubelet does not start (`container-root-refused`). Pods that
/// operators make are looked at by check_operator_pods.
/// Source: kubernetes/kubernetes:pkg/apis/{apps,batch,core,rbac}/validation (1.36).
void check_object(const Node& object, std::string_view api_version, std::string_view kind,
                  std::vector<Finding>& findings);

/// Whether several of the basic fields are missing at once: pods without images and names or a selector, a workload
/// without a selector and a template, a Service without ports and a selector. Such objects are sketches, or parts that
/// are merged into what others made.
bool is_stated_in_part(const Node& object, std::string_view api_version, std::string_view kind);

}  // namespace muster
