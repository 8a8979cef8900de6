#pragma once

#include "model/pod_security.h"
#include "syntax/document.h"

namespace muster {

/// Judges the `spec` of a pod or pod template by the Pod Security Standards, as far as files tell.
/// Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/ (1.36).
PodSecurity judge_pod_security(const Node& spec);

}  // namespace muster
