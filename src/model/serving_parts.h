#pragma once

#include <array>

#include "model/device_parts.h"
#include "model/manifest.h"

namespace muster {

// Parts of what serves models; for the rows of src/model/manifest.cc. Each sorted by name.

// Source: kubernetes-sigs/gateway-api-inference-extension:api/v1/inferencepool_types.go (1.0), apix/v1alpha2 (1.0).
inline constexpr std::array kInferencePool{
    PartDef{"picker", kAny, "spec.extensionRef|spec.endpointPickerRef", "what picks an endpoint for each request", 1},
    PartDef{"selector", kAny, "spec.selector.matchLabels|spec.selector", "labels of the pods behind it", 1},
};
// Source: kserve/kserve:pkg/apis/serving/v1beta1 (0.20).
inline constexpr std::array kInferenceService{
    kAnnotations,
    PartDef{"containers", kAny, "spec.predictor.containers", "containers of its predictor, as they are written", 4},
    PartDef{"max_replicas", kInt, "spec.predictor.maxReplicas", "most replicas"},
    PartDef{"min_replicas", kInt, "spec.predictor.minReplicas", "fewest replicas"},
    PartDef{"model", kAny, "spec.predictor.model", "the model it serves", 3},
    PartDef{"predictor", kAny, "spec.predictor", "its predictor", 2},
    PartDef{"predictor_annotations", kAny, "spec.predictor.annotations", "annotations of its predictor's pods", 1},
};
// Sources: knative/serving:config/core/configmaps (1.19); knative/operator:pkg/apis/operator/base/common.go (01509e1b).
inline constexpr std::array kKnativeSettings{
    PartDef{"config", kAny, "data|spec.config", "a ConfigMap's settings, or those of each ConfigMap by its name", 2},
};
// Source: knative/serving:pkg/apis/serving/v1/service_types.go (1.19).
inline constexpr std::array kKnativeService{
    kAnnotations,
    PartDef{"pod", kAny, "spec.template.spec", "its pods", 3},
};
// Source: https://docs.docker.com/reference/compose-file/ (2025-11).
inline constexpr std::array kComposeFile{PartDef{"config", kAny, "-", "all of the file", 10}};
// Source: ray-project/ray:python/ray/autoscaler/ray-schema.json (2.60).
inline constexpr std::array kRayLauncher{PartDef{"config", kAny, "-", "all of the file", 6}};
inline constexpr std::array kRayRuntimeEnv{
    PartDef{"config", kAny, "-", "all of it", 3},
    PartDef{"slips", kText, "-", "its keys that stand for a field of a runtime_env and are none"},
};
// Source: ray-project/kuberay:ray-operator/apis/ray/v1 (1.7).
inline constexpr std::array kRay{
    kAnnotations,
    PartDef{"auth", kAny, "spec.authOptions|spec.rayClusterSpec.authOptions|spec.rayClusterConfig.authOptions",
            "how it asks who speaks to it", 1},
    PartDef{"autoscaler", kAny,
            "spec.autoscalerOptions|spec.rayClusterSpec.autoscalerOptions|spec.rayClusterConfig.autoscalerOptions",
            "the container of Ray's autoscaler", 3},
    PartDef{"autoscaling", kBool,
            "spec.enableInTreeAutoscaling|spec.rayClusterSpec.enableInTreeAutoscaling|"
            "spec.rayClusterConfig.enableInTreeAutoscaling",
            "Ray's autoscaler adds and removes workers"},
    PartDef{"cluster_selector", kAny, "spec.clusterSelector", "RayJob: the running cluster it uses", 1},
    PartDef{"deletion", kAny, "spec.deletionStrategy|spec.deletionPolicy", "RayJob: what is deleted at its end", 1},
    PartDef{"entrypoint", kText, "spec.entrypoint", "RayJob: the command that is its job"},
    PartDef{"fault_tolerance", kAny,
            "spec.gcsFaultToleranceOptions|spec.rayClusterSpec.gcsFaultToleranceOptions|"
            "spec.rayClusterConfig.gcsFaultToleranceOptions",
            "where its head keeps its state", 1},
    PartDef{"head", kAny, "spec.headGroupSpec|spec.rayClusterSpec.headGroupSpec|spec.rayClusterConfig.headGroupSpec",
            "its head", 8},
    PartDef{"head_service_annotations", kAny,
            "spec.headServiceAnnotations|spec.rayClusterSpec.headServiceAnnotations|"
            "spec.rayClusterConfig.headServiceAnnotations",
            "of the Service of its head", 2},
    kLabels,
    PartDef{"serve", kText, "spec.serveConfigV2", "RayService: its applications, as a text of YAML"},
    PartDef{"shutdown", kBool, "spec.shutdownAfterJobFinishes", "RayJob: the cluster ends with the job"},
    PartDef{"submission_mode", kText, "spec.submissionMode", "RayJob: who submits the job"},
    PartDef{"suspend", kBool, "spec.suspend", "it waits until somebody lets it run"},
    PartDef{"ttl", kInt, "spec.ttlSecondsAfterFinished", "RayJob: seconds after its end until its cluster is deleted"},
    PartDef{"unhealthy", kAny, "spec.serviceUnhealthySecondThreshold|spec.deploymentUnhealthySecondThreshold",
            "RayService: seconds without an answer, as KubeRay counted them up to 1.0"},
    PartDef{"upgrade", kText, "spec.upgradeStrategy.type", "RayService: NewCluster, None, ..."},
    PartDef{"version", kText, "spec.rayVersion|spec.rayClusterSpec.rayVersion|spec.rayClusterConfig.rayVersion",
            "the Ray release it names"},
    PartDef{"workers", kAny,
            "spec.workerGroupSpecs|spec.rayClusterSpec.workerGroupSpecs|spec.rayClusterConfig.workerGroupSpecs",
            "its groups of workers", 10},
};
// Source: kserve/kserve:pkg/apis/serving/v1alpha1/servingruntime_types.go (0.20).
inline constexpr std::array kServingRuntime{
    PartDef{"adapter", kAny, "spec.builtInAdapter", "ModelMesh: what loads its models", 2},
    kAnnotations,
    PartDef{"containers", kAny, "spec.containers", "its containers", 4},
    PartDef{"formats", kAny, "spec.supportedModelFormats", "models it serves", 3},
    PartDef{"several", kBool, "spec.multiModel", "ModelMesh puts several models into one server"},
};

}  // namespace muster
