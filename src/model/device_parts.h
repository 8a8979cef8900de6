#pragma once

#include <array>

#include "model/manifest.h"

namespace muster {

// Parts of what asks for devices and of what hands them out; for the rows of src/model/manifest.cc. Each sorted
// by name.

inline constexpr auto kAny = PartType::Any;
inline constexpr auto kBool = PartType::Bool;
inline constexpr auto kInt = PartType::Int;
inline constexpr auto kText = PartType::Text;

inline constexpr PartDef kAnnotations{"annotations", kAny, "metadata.annotations", "its annotations", 1};
inline constexpr PartDef kLabels{"labels", kAny, "metadata.labels", "its labels", 1};

// Source: kubernetes-sigs/dra-driver-nvidia-gpu:api/nvidia.com/resource/v1beta1/computedomain.go (0.5).
inline constexpr std::array kComputeDomain{
    PartDef{"channel", kAny, "spec.channel", "the template of the claims by which pods join it", 3},
    PartDef{"nodes", kInt, "spec.numNodes", "nodes it waits for, as drivers up to 25.3 read it"},
};
// Source: kubernetes/api:resource/v1/types.go (1.37).
inline constexpr std::array kDeviceClass{
    PartDef{"extended_resource", kText, "spec.extendedResourceName", "the resource that pods may ask for instead"},
    PartDef{"selectors", kAny, "spec.selectors", "devices that are of it", 3},
};
// Source: kubernetes/api:resource/v1alpha3/types.go (1.34, 1.37).
inline constexpr std::array kDeviceTaintRule{
    PartDef{"selector", kAny, "spec.deviceSelector", "devices it taints; empty: all", 3},
    PartDef{"taint", kAny, "spec.taint", "what it says of them", 1},
};
// Source: NVIDIA/gpu-operator:api/nvidia/v1alpha1/gpucluster_types.go (26.7).
inline constexpr std::array kGpuCluster{
    PartDef{"dra_driver", kAny, "spec.draDriver", "the DRA driver it installs", 4},
};
inline constexpr std::array kLabelled{kLabels};
// Source: kubernetes/api:core/v1/types.go (1.37).
inline constexpr std::array kNodeObject{
    PartDef{"allocatable", kAny, "status.allocatable", "what pods can have of it", 1},
    kAnnotations,
    PartDef{"capacity", kAny, "status.capacity", "what it has", 1},
    PartDef{"info", kAny, "status.nodeInfo", "releases of what runs on it", 1},
    kLabels,
    PartDef{"taints", kAny, "spec.taints", "taints that keep pods away", 2},
    PartDef{"unschedulable", kBool, "spec.unschedulable", "it is cordoned"},
};
// Source: medik8s/node-healthcheck-operator:api/v1alpha1/nodehealthcheck_types.go (0.9).
inline constexpr std::array kNodeHealthCheck{
    PartDef{"conditions", kAny, "spec.unhealthyConditions", "what makes a node unhealthy; absent: Ready alone", 2},
    PartDef{"remedies", kAny, "spec.escalatingRemediations", "what is done then, one after the other", 3},
    PartDef{"remedy", kAny, "spec.remediationTemplate", "what is done then", 1},
};
// Source: NVIDIA/gpu-operator:api/nvidia/v1alpha1/nvidiadriver_types.go (26.7).
inline constexpr std::array kNvidiaDriver{
    PartDef{"is_default", kBool, "spec.default", "it is for nodes that no other selects"},
    PartDef{"node_selector", kAny, "spec.nodeSelector", "labels of the nodes it is for", 1},
    PartDef{"precompiled", kBool, "spec.usePrecompiled", "images built for one kernel"},
    PartDef{"version", kText, "spec.version", "the release of the driver"},
};
// Source: NVIDIA/gpu-operator:api/nvidia/v1/clusterpolicy_types.go (26.7).
inline constexpr std::array kNvidiaPolicy{
    PartDef{"cdi", kAny, "spec.cdi", "how devices come into containers", 1},
    PartDef{"dcgm_exporter", kAny, "spec.dcgmExporter", "its telemetry", 2},
    PartDef{"device_plugin", kAny, "spec.devicePlugin", "its device plugin", 3},
    PartDef{"gpu_driver", kAny, "spec.driver", "the driver it installs", 5},
    PartDef{"mig", kAny, "spec.mig", "how slices of GPUs are handed out", 1},
};
// Source: kubernetes/api:core/v1/types.go (1.37).
inline constexpr std::array kPod{
    PartDef{"affinity", kAny, "spec.affinity", "where its pods may stand", 8},
    PartDef{"annotations", kAny, "metadata.annotations", "annotations of the pods", 1},
    PartDef{"claims", kAny, "spec.resourceClaims", "ResourceClaims of each pod", 3},
    PartDef{"containers", kAny, "spec.containers", "its containers", 6},
    PartDef{"dns_policy", kText, "spec.dnsPolicy", "where its names are looked up"},
    PartDef{"grace", kInt, "spec.terminationGracePeriodSeconds", "seconds between SIGTERM and SIGKILL"},
    PartDef{"host_network", kBool, "spec.hostNetwork", "its pods share the network of their node"},
    PartDef{"init_containers", kAny, "spec.initContainers", "containers that run before the others", 5},
    PartDef{"labels", kAny, "metadata.labels", "labels of the pods", 1},
    PartDef{"node_name", kText, "spec.nodeName", "the one node its pods are given to"},
    PartDef{"node_selector", kAny, "spec.nodeSelector", "labels its nodes must have", 1},
    PartDef{"priority_class", kText, "spec.priorityClassName", "their PriorityClass"},
    PartDef{"restart_policy", kText, "spec.restartPolicy", "what the kubelet does with a container that ended"},
    PartDef{"runtime_class", kText, "spec.runtimeClassName", "their RuntimeClass"},
    PartDef{"scheduler_name", kText, "spec.schedulerName", "who places them"},
    PartDef{"security", kAny, "spec.securityContext", "what all its containers run as", 1},
    PartDef{"tolerations", kAny, "spec.tolerations", "taints they may stand beside", 2},
    PartDef{"volumes", kAny, "spec.volumes", "volumes of the pods", 4},
    PartDef{"workload_ref", kAny, "spec.workloadRef", "link to a Workload as Kubernetes 1.35 had it", 2},
};
// Source: kubernetes/api:resource/v1/types.go (1.37).
inline constexpr std::array kResourceClaim{
    PartDef{"constraints", kAny, "spec.devices.constraints|spec.spec.devices.constraints", "what its devices share", 3},
    kLabels,
    PartDef{"requests", kAny, "spec.devices.requests|spec.spec.devices.requests", "devices it asks for", 8},
};
inline constexpr std::array kResourceSlice{
    PartDef{"counters", kAny, "spec.sharedCounters", "what its devices take from together", 1},
    PartDef{"devices", kAny, "spec.devices", "devices of the node", 5},
    PartDef{"node", kText, "spec.nodeName", "the node they are on"},
    PartDef{"pool", kAny, "spec.pool", "the pool they are of, and which of its states this is", 1},
    PartDef{"publisher", kText, "spec.driver", "the driver that publishes them"},
    PartDef{"uid", kText, "metadata.uid", "what an API server wrote into it"},
};

// Source: SlinkyProject/slurm-operator:api/v1beta1/controller_types.go (1.2).
inline constexpr std::array kSlinkyController{
    PartDef{"extra_conf", kText, "spec.extraConf", "further lines of its slurm.conf"},
    PartDef{"high_availability", kAny, "spec.ha", "more than one slurmctld", 2},
    PartDef{"persistence", kAny, "spec.persistence", "where slurmctld keeps its state", 2},
};
// Source: SlinkyProject/slurm-operator:api/v1beta1/nodeset_types.go (1.2).
inline constexpr std::array kSlinkyNodeSet{
    PartDef{"extra_conf", kText, "spec.extraConf", "words for its nodes in slurm.conf"},
    PartDef{"oversubscribe", kBool, "spec.oversubscribeNode", "several of its pods on one node"},
    PartDef{"pod", kAny, "spec.template.spec|spec.template", "its pods", 4},
    PartDef{"protected", kBool, "spec.workloadDisruptionProtection", "no eviction while jobs run; true unless set"},
    PartDef{"scaling", kText, "spec.scalingMode", "StatefulSet or DaemonSet"},
    PartDef{"slurmd", kAny, "spec.slurmd", "its container", 4},
    PartDef{"update", kAny, "spec.updateStrategy", "how its pods are replaced", 2},
};
// Source: nebius/soperator:api/v1/slurmcluster_types.go (4.1).
inline constexpr std::array kSoperatorCluster{
    PartDef{"health", kAny, "spec.slurmConfig.healthCheckConfig|spec.healthCheckConfig", "its health check program", 2},
    PartDef{"maintenance", kText, "spec.maintenance", "none, or how it is taken down"},
    PartDef{"partitions", kAny, "spec.partitionConfiguration", "its partitions", 3},
    PartDef{"topology", kAny, "spec.topology", "its topology; blockSize of block topologies", 1},
    PartDef{"topology_plugin", kText, "spec.slurmConfig.topologyPlugin", "topology/tree unless set"},
};

}  // namespace muster
