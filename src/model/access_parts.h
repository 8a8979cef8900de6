#pragma once

#include <array>

#include "model/device_parts.h"
#include "model/manifest.h"

namespace muster {

// Parts of who may ask for what; for the rows of src/model/manifest.cc. Each sorted by name.

// Source: kubernetes-sigs/gateway-api:apis/v1/gateway_types.go (1.4).
inline constexpr std::array kGateway{
    PartDef{"gateway_class", kText, "spec.gatewayClassName", "whose controller makes it"},
    PartDef{"listeners", kAny, "spec.listeners", "where it listens, and for whose routes", 6},
};
// Source: kubernetes-sigs/gateway-api:apis/v1/httproute_types.go, grpcroute_types.go (1.4).
inline constexpr std::array kGatewayRoute{
    PartDef{"parents", kAny, "spec.parentRefs", "the Gateways that it is for", 2},
    PartDef{"rules", kAny, "spec.rules", "what it sends where", 5},
};
// Source: openshift/api:route/v1/types.go (4.18).
inline constexpr std::array kOpenShiftRoute{
    kAnnotations,
    PartDef{"target", kAny, "spec.to", "where it sends requests", 1},
    PartDef{"tls", kAny, "spec.tls", "who ends the encryption", 1},
};
// Source: argoproj/argo-rollouts:pkg/apis/rollouts/v1alpha1/analysis_types.go (1.8).
inline constexpr std::array kAnalysisTemplate{
    PartDef{"metrics", kAny, "spec.metrics", "what it measures, and when that is good", 5},
};
// Source: https://docs.cloud.google.com/kubernetes-engine/docs/reference/crds/computeclass
inline constexpr std::array kComputeClass{
    PartDef{"priorities", kAny, "spec.priorities", "machines that GKE tries, one rule after the other", 3},
};
// Source: argoproj/argo-workflows:pkg/apis/workflow/v1alpha1/workflow_types.go (3.6).
inline constexpr std::array kArgoWorkflow{
    PartDef{"executor_account", kText, "spec.workflowSpec.executor.serviceAccountName|spec.executor.serviceAccountName",
            "as what the executor beside its steps runs, where that is another account"},
    PartDef{"service_account", kText, "spec.workflowSpec.serviceAccountName|spec.serviceAccountName",
            "as what its pods run"},
};
// Source: kubernetes/api:rbac/v1/types.go (1.37).
inline constexpr std::array kRole{
    PartDef{"rules", kAny, "rules", "what it allows", 3},
};
inline constexpr std::array kRoleBinding{
    PartDef{"role", kAny, "roleRef", "the role that it gives", 1},
    PartDef{"subjects", kAny, "subjects", "whom it gives it", 2},
};

}  // namespace muster
