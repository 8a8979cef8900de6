#pragma once

#include <cstdint>

#include "source/span.h"

namespace muster {

/// What keeps pods out of a namespace that enforces a Pod Security Standard: a row of kPodSecurityReasons for each of
/// the two, 0 for nothing, and where it stands. Values that somebody fills in keep nothing out.
struct PodSecurity {
  Span baseline_at;
  Span restricted_at;  ///< of what `restricted` wants beyond `baseline`
  std::uint8_t baseline = 0;
  std::uint8_t restricted = 0;
};

/// As the API server names them.
/// Source: kubernetes/kubernetes:staging/src/k8s.io/pod-security-admission/policy (1.36).
inline constexpr const char* kPodSecurityReasons[] = {
    "",
    "host namespaces",
    "hostPath volumes",
    "hostPort",
    "privileged",
    "non-default capabilities",
    "seccompProfile",
    "allowPrivilegeEscalation != false",
    "unrestricted capabilities",
    "runAsNonRoot != true",
    "runAsUser=0",
    "restricted volume types",
};
enum class PodSecurityReason : std::uint8_t {
  None,
  HostNamespaces,
  HostPath,
  HostPort,
  Privileged,
  Capabilities,
  Seccomp,
  Escalation,
  UnrestrictedCapabilities,
  NonRoot,
  RootUser,
  VolumeTypes,
};

}  // namespace muster
