#include "model/manifest.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "model/access_parts.h"
#include "model/device_parts.h"
#include "model/flux_parts.h"
#include "model/serving_parts.h"
#include "model/storage_parts.h"

namespace muster {
namespace {

// Source: kubernetes/api:autoscaling/v2/types.go (1.37).
constexpr std::array kAutoscaler{
    kAnnotations,
    PartDef{"cpu", kInt, "spec.targetCPUUtilizationPercentage", "autoscaling/v1: share of the CPU request"},
    PartDef{"max", kInt, "spec.maxReplicas", "most replicas"},
    PartDef{"metrics", kAny, "spec.metrics", "what it looks at"},
    PartDef{"min", kInt, "spec.minReplicas", "fewest replicas"},
    PartDef{"target", kAny, "spec.scaleTargetRef", "kind and name of what it scales"},
};
// Source: kubernetes/api:apps/v1/types.go (1.37).
constexpr std::array kDaemonSet{
    PartDef{"affinity", kAny, "spec.template.spec.affinity", "where its pods may stand", 1},
    PartDef{"containers", kAny, "spec.template.spec.containers", "its containers", 4},
    kLabels,
    PartDef{"node_selector", kAny, "spec.template.spec.nodeSelector", "labels its nodes must have", 1},
    PartDef{"pod_annotations", kAny, "spec.template.metadata.annotations", "annotations of its pods", 1},
    PartDef{"runtime_class", kText, "spec.template.spec.runtimeClassName", "their RuntimeClass"},
    PartDef{"tolerations", kAny, "spec.template.spec.tolerations", "taints its pods may stand beside", 2},
    PartDef{"volumes", kAny, "spec.template.spec.volumes", "volumes of its pods", 4},
};
constexpr std::array kDeployment{
    kAnnotations,
    PartDef{"containers", kAny, "spec.template.spec.containers", "its containers and their arguments", 3},
    PartDef{"deadline", kInt, "spec.progressDeadlineSeconds", "seconds in which something has to become ready"},
    kLabels,
    PartDef{"node_selector", kAny, "spec.template.spec.nodeSelector", "labels its nodes must have", 1},
    PartDef{"replicas", kInt, "spec.replicas", "its pods"},
    PartDef{"strategy", kText, "spec.strategy.type", "RollingUpdate or Recreate"},
    PartDef{"surge", kAny, "spec.strategy.rollingUpdate.maxSurge", "pods above replicas during an update"},
    PartDef{"unavailable", kAny, "spec.strategy.rollingUpdate.maxUnavailable", "pods that may be missing meanwhile"},
};
// Source: kubernetes/api:policy/v1/types.go (1.37).
constexpr std::array kDisruptionBudget{
    PartDef{"least", kAny, "spec.minAvailable", "pods that have to stay"},
    PartDef{"most_away", kAny, "spec.maxUnavailable", "pods that may be away"},
    PartDef{"selector", kAny, "spec.selector", "the pods it counts", 4},
};
// Source: kubernetes/api:networking/v1/types.go (1.37).
constexpr std::array kNetworkPolicy{
    PartDef{"egress", kAny, "spec.egress", "what its pods may ask", 6},
    PartDef{"ingress", kAny, "spec.ingress", "who may ask its pods", 6},
    PartDef{"pod_selector", kAny, "spec.podSelector", "the pods it is for; of nothing: all", 2},
    PartDef{"policy_types", kAny, "spec.policyTypes", "Ingress, Egress", 1},
};
// Source: operator-framework/api:pkg/operators/v1alpha1/subscription_types.go (0.32).
constexpr std::array kSubscription{
    PartDef{"approval", kText, "spec.installPlanApproval", "Automatic or Manual"},
    PartDef{"channel", kText, "spec.channel", "where its releases come from"},
    PartDef{"package", kText, "spec.name", "the operator"},
};
// Sources: kubernetes/api:apps/v1/types.go, batch/v1/types.go, core/v1/types.go (1.37).
constexpr std::array kPodMaker{
    kAnnotations,
    PartDef{"containers", kAny,
            "spec.template.spec.containers|spec.jobTemplate.spec.template.spec.containers|spec.containers",
            "its containers", 4},
    PartDef{"init_containers", kAny,
            "spec.template.spec.initContainers|spec.jobTemplate.spec.template.spec.initContainers|spec.initContainers",
            "what runs before them", 4},
    PartDef{"node_selector", kAny,
            "spec.template.spec.nodeSelector|spec.jobTemplate.spec.template.spec.nodeSelector|spec.nodeSelector",
            "labels their nodes must have", 1},
    PartDef{"pod_annotations", kAny, "spec.template.metadata.annotations", "annotations of its pods, of a template", 1},
    PartDef{"pod_labels", kAny,
            "spec.template.metadata.labels|spec.jobTemplate.spec.template.metadata.labels|metadata.labels",
            "labels of its pods", 1},
    PartDef{"pod_resources", kAny,
            "spec.template.spec.resources|spec.jobTemplate.spec.template.spec.resources|spec.resources",
            "resources of each pod as a whole", 1},
    PartDef{"replicas", kInt, "spec.replicas", "how many pods it makes"},
    PartDef{"resource_claims", kAny,
            "spec.template.spec.resourceClaims|spec.jobTemplate.spec.template.spec.resourceClaims|spec.resourceClaims",
            "ResourceClaims of each pod", 1},
    PartDef{"runtime_class", kText,
            "spec.template.spec.runtimeClassName|spec.jobTemplate.spec.template.spec.runtimeClassName|"
            "spec.runtimeClassName",
            "their RuntimeClass"},
    PartDef{"service_name", kText, "spec.serviceName", "the Service that names the pods of a StatefulSet"},
    PartDef{"strategy", kText, "spec.strategy.type", "of a Deployment: RollingUpdate or Recreate"},
    PartDef{"surge", kAny, "spec.strategy.rollingUpdate.maxSurge", "pods above replicas during an update"},
    PartDef{"tolerations", kAny,
            "spec.template.spec.tolerations|spec.jobTemplate.spec.template.spec.tolerations|spec.tolerations",
            "taints its pods may stand beside", 2},
    PartDef{"volumes", kAny, "spec.template.spec.volumes|spec.jobTemplate.spec.template.spec.volumes|spec.volumes",
            "volumes of its pods", 3},
};
// Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/clusterqueue_types.go (0.19).
constexpr std::array kClusterQueue{
    PartDef{"checks", kAny, "spec.admissionChecks|spec.admissionChecksStrategy", "what has to agree, too", 4},
    PartDef{"cohort", kText, "spec.cohortName|spec.cohort", "the cohort it shares quota with"},
    PartDef{"groups", kAny, "spec.resourceGroups", "its flavors, by the resources that they are for", 4},
    PartDef{"namespaces", kAny, "spec.namespaceSelector", "whose workloads it admits", 2},
    PartDef{"preemption", kAny, "spec.preemption", "whom its workloads evict", 2},
};
// Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/cohort_types.go (0.19).
constexpr std::array kCohortObject{
    PartDef{"groups", kAny, "spec.resourceGroups", "quotas that its queues share", 1},
    PartDef{"parent", kText, "spec.parentName|spec.parent", "the cohort above it"},
};
// Source: kubernetes/api:batch/v1/types.go (1.37).
constexpr std::array kCronJob{
    PartDef{"concurrency", kText, "spec.concurrencyPolicy", "Allow, Forbid or Replace"},
    PartDef{"pod", kAny, "spec.jobTemplate.spec.template.spec", "its pod", 5},
    PartDef{"schedule", kText, "spec.schedule", "when it starts a Job"},
};
// Source: ai-dynamo/grove:operator/api/core/v1alpha1/podcliqueset.go.
constexpr std::array kCliqueSet{
    PartDef{"scaling_groups", kAny, "spec.template.podCliqueScalingGroups", "cliques that are scaled together", 3},
};
// Source: aws/karpenter-provider-aws:pkg/apis/v1/ec2nodeclass.go (1.6).
constexpr std::array kEc2NodeClass{
    PartDef{"disks", kAny, "spec.blockDeviceMappings", "disks of its nodes", 4},
    PartDef{"family", kText, "spec.amiFamily", "the family of their machine image, where it is not said by that"},
    PartDef{"images", kAny, "spec.amiSelectorTerms", "what their machine image is chosen by", 3},
    PartDef{"instance_store", kText, "spec.instanceStorePolicy", "RAID0: their own disks hold the pods' data"},
    PartDef{"subnets", kAny, "spec.subnetSelectorTerms", "what their subnets are chosen by", 3},
};
// Source: crossplane-contrib/provider-upjet-aws:apis/eks/v1beta1/zz_nodegroup_types.go.
constexpr std::array kEksNodeGroup{
    PartDef{"disk", kAny, "spec.forProvider.diskSize", "GiB of the disk of each node"},
    PartDef{"image", kText, "spec.forProvider.amiType", "what machine image its nodes have"},
    PartDef{"instance_types", kAny, "spec.forProvider.instanceTypes", "machines that its nodes are", 1},
    PartDef{"launch_template", kAny, "spec.forProvider.launchTemplate", "what says the rest of its nodes", 2},
};
// Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/resourceflavor_types.go (0.19).
constexpr std::array kFlavorObject{
    PartDef{"node_labels", kAny, "spec.nodeLabels", "labels of its nodes, which workloads are held to", 1},
    PartDef{"taints", kAny, "spec.nodeTaints", "taints of its nodes, which workloads have to tolerate", 2},
    PartDef{"tolerations", kAny, "spec.tolerations", "what the pods of its workloads are given", 2},
};
// Source: volcano-sh/apis:pkg/apis/topology/v1alpha1/hypernode_types.go (1.15).
constexpr std::array kHyperNodeObject{PartDef{"tier_name", kText, "spec.tierName", "name of its tier"}};
// Source: kubernetes/api:batch/v1/types.go (1.37).
constexpr std::array kJob{
    kAnnotations,
    PartDef{"backoff_limit", kInt, "spec.backoffLimit", "how often a failed pod is tried again"},
    PartDef{"completion_mode", kText, "spec.completionMode", "Indexed: each pod has a number"},
    PartDef{"completions", kInt, "spec.completions", "pods that have to succeed"},
    PartDef{"failure_policy", kAny, "spec.podFailurePolicy", "which failures count, and which end the Job", 2},
    PartDef{"gang", kAny, "spec.scheduling.schedulingPolicy.gang", "its native gang", 2},
    PartDef{"gang_min", kInt, "spec.scheduling.schedulingPolicy.gang.minCount", "pods it wants placed together"},
    kLabels,
    PartDef{"parallelism", kInt, "spec.parallelism", "pods at the same time"},
    PartDef{"pod", kAny, "spec.template.spec", "its pod", 7},
    PartDef{"scheduling", kAny, "spec.scheduling", "how its pods are scheduled together", 2},
    PartDef{"scheduling_group", kAny, "spec.template.spec.schedulingGroup", "the group its template names", 2},
    PartDef{"ttl", kInt, "spec.ttlSecondsAfterFinished", "seconds after its end until it is deleted"},
};
// Source: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go (0.12).
constexpr std::array kJobSet{
    kAnnotations,
    PartDef{"failure_policy", kAny, "spec.failurePolicy", "what the failure of a job means for all", 2},
    PartDef{"jobs", kAny, "spec.replicatedJobs", "its jobs", 12},
    kLabels,
    PartDef{"network", kAny, "spec.network", "host names of its pods", 2},
    PartDef{"success_policy", kAny, "spec.successPolicy", "which of its jobs have to end", 2},
};
// Sources: kubernetes-sigs/karpenter:pkg/apis/v1alpha5, aws/karpenter-provider-aws:pkg/apis/v1alpha1 (0.32).
constexpr std::array kKarpenterOld{
    PartDef{"selector", kAny, "spec.amiSelectorTerms|spec.amiSelector", "images of its nodes", 1}};
// Source: kubernetes-sigs/karpenter:pkg/apis/v1/nodepool.go (1.6).
constexpr std::array kNodePool{
    PartDef{"disruption", kAny, "spec.disruption", "when its nodes are taken away to save", 3},
    PartDef{"labels", kAny, "spec.template.metadata.labels", "labels of its nodes", 1},
    PartDef{"limits", kAny, "spec.limits", "most it may provide", 1},
    PartDef{"node_class", kAny, "spec.template.spec.nodeClassRef", "what its nodes are made of", 1},
    PartDef{"requirements", kAny, "spec.template.spec.requirements", "what its nodes have to be", 4},
    PartDef{"startup_taints", kAny, "spec.template.spec.startupTaints", "taints until a node is ready", 3},
    PartDef{"taints", kAny, "spec.template.spec.taints", "taints of its nodes", 3},
};
// Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2/queue_types.go (0.17).
constexpr std::array kKaiQueue{
    PartDef{"parent", kText, "spec.parentQueue", "the queue above it"},
    PartDef{"resources", kAny, "spec.resources", "what it may use", 3},
};
// Source: kubernetes-sigs/kustomize:api/types/kustomization.go (5.8).
constexpr std::array kKustomization{
    PartDef{"patches", kAny, "patches", "its patches and what they are for", 3},
    PartDef{"resources", kAny, "resources", "files and folders it is made of", 1},
};
// Sources: kubeflow/trainer:pkg/apis/kubeflow.org/v1 (1.9.4); kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1 (0.8).
constexpr std::array kKubeflowJob{
    PartDef{"backoff", kInt, "spec.runPolicy.backoffLimit", "how often pods may be restarted"},
    PartDef{"clean_pods", kText, "spec.runPolicy.cleanPodPolicy|spec.cleanPodPolicy", "which pods go at its end"},
    PartDef{"elastic", kAny, "spec.elasticPolicy", "how many pods it can do with", 6},
    PartDef{"gang_min", kInt, "spec.runPolicy.schedulingPolicy.minAvailable", "pods it wants placed together"},
    PartDef{"launched", kText, "spec.launcherCreationPolicy", "of an MPIJob: when its launcher is made"},
    PartDef{"least", kInt, "spec.elasticPolicy.minReplicas", "fewest workers the program runs with"},
    PartDef{"replica_specs", kAny,
            "spec.pytorchReplicaSpecs|spec.tfReplicaSpecs|spec.xgbReplicaSpecs|spec.paddleReplicaSpecs|"
            "spec.jaxReplicaSpecs|spec.mpiReplicaSpecs",
            "its replicas by type", 8},
};
// Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/admissioncheck_types.go (0.19).
constexpr std::array kKueueCheck{
    PartDef{"controller", kText, "spec.controllerName", "who decides"},
    PartDef{"parameters", kAny, "spec.parameters", "the object that says how", 2},
};
// Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/provisioningrequestconfig_types.go (0.19).
constexpr std::array kProvisioningConfig{
    PartDef{"managed", kAny, "spec.managedResources", "for which resources it asks; none: for all", 1},
};
// Source: kubernetes-sigs/kueue:apis/config/v1beta2/configuration_types.go (0.19).
constexpr std::array kKueueConfiguration{
    PartDef{"class_mappings", kAny, "resources.deviceClassMappings", "DeviceClasses that it counts, by resource", 3},
    PartDef{"gates", kAny, "featureGates", "its feature gates", 1},
    PartDef{"wait", kAny, "waitForPodsReady", "how long it waits for the pods of what it admitted", 3},
};
// Source: kubernetes-sigs/lws:api/leaderworkerset/v1/leaderworkerset_types.go (0.10).
constexpr std::array kLeaderWorkerSet{
    kAnnotations,
    PartDef{"leader", kAny, "spec.leaderWorkerTemplate.leaderTemplate", "template of its leaders", 3},
    PartDef{"restart_policy", kText, "spec.leaderWorkerTemplate.restartPolicy", "what a lost pod does to its group"},
    PartDef{"size", kInt, "spec.leaderWorkerTemplate.size", "pods of a group"},
    PartDef{"worker", kAny, "spec.leaderWorkerTemplate.workerTemplate", "template of its workers", 3},
};
// Source: kubernetes/api:core/v1/types.go (1.37).
constexpr std::array kLimitRange{
    PartDef{"limits", kAny, "spec.limits", "what containers and pods get and may ask for", 3},
};
constexpr std::array kObject{kAnnotations, kLabels};
// Sources: the CustomResourceDefinitions of Volcano 1.15 and scheduler-plugins 0.34; kubernetes/api:scheduling/v1beta1.
constexpr std::array kPodGroupObject{
    PartDef{"claims", kAny, "spec.resourceClaims", "native: claims that its pods share", 2},
    PartDef{"disruption", kAny, "spec.disruptionMode", "native: what preemption may take", 2},
    PartDef{"gang", kAny, "spec.schedulingPolicy.gang", "native: its gang", 2},
    PartDef{"gang_min", kInt, "spec.schedulingPolicy.gang.minCount", "native: pods to be placed together"},
    PartDef{"min_resources", kAny, "spec.minResources", "what has to be there before it is looked at", 1},
    PartDef{"timeout", kInt, "spec.scheduleTimeoutSeconds", "coscheduling: seconds its pods wait for each other"},
    PartDef{"topology", kAny, "spec.networkTopology", "Volcano: how near its pods stand", 2},
};
// Source: kubernetes/api:scheduling/v1/types.go (1.37).
constexpr std::array kPriorityClass{
    PartDef{"global_default", kBool, "globalDefault", "pods that name no class have it"},
    PartDef{"preemption", kText, "preemptionPolicy", "Never: nobody is evicted for its pods"},
    PartDef{"value", kInt, "value", "its priority"},
};
// Source: kubernetes/api:core/v1/types.go (1.37).
constexpr std::array kResourceQuota{
    PartDef{"hard", kAny, "spec.hard", "most that a namespace may have", 1},
    PartDef{"scope_selector", kAny, "spec.scopeSelector", "the pods it counts", 1},
    PartDef{"scopes", kAny, "spec.scopes", "the pods it counts", 1},
};
// Source: prometheus-operator/prometheus-operator:pkg/apis/monitoring/v1/prometheusrule_types.go (0.86).
constexpr std::array kPrometheusRule{PartDef{"groups", kAny, "spec.groups", "its groups of rules", 4}};
// Source: kubernetes/api:node/v1/types.go (1.37).
constexpr std::array kRuntimeClass{
    PartDef{"overhead", kAny, "overhead", "what its pods take beside their containers", 2},
    PartDef{"scheduling", kAny, "scheduling", "the nodes its pods go to", 2},
};
// Source: kedacore/keda:apis/keda/v1alpha1/scaledobject_types.go (2.18).
constexpr std::array kScaledObject{
    kAnnotations,
    PartDef{"cooldown", kInt, "spec.cooldownPeriod", "seconds without work before it goes to its idle number"},
    PartDef{"idle", kInt, "spec.idleReplicaCount", "pods while nothing is to be done"},
    PartDef{"max", kInt, "spec.maxReplicaCount", "most pods"},
    PartDef{"min", kInt, "spec.minReplicaCount", "fewest pods"},
    PartDef{"target", kAny, "spec.scaleTargetRef", "kind and name of what it scales"},
    PartDef{"triggers", kAny, "spec.triggers", "what it looks at", 3},
};
// Source: kubernetes/kube-scheduler:config/v1/types.go (1.37).
constexpr std::array kSchedulerConfiguration{
    PartDef{"profiles", kAny, "profiles", "its profiles", 6},
};
// Source: kubernetes/api:core/v1/types.go (1.37).
constexpr std::array kService{
    PartDef{"cluster_ip", kText, "spec.clusterIP", "None: it has no address and its pods no variables of it"},
    kLabels,
    PartDef{"ports", kAny, "spec.ports", "where it listens, and where to it sends", 2},
    PartDef{"selector", kAny, "spec.selector", "labels of the pods behind it", 1},
    PartDef{"type", kText, "spec.type", "ExternalName: it has no address either"},
};
// Source: prometheus-operator/prometheus-operator:pkg/apis/monitoring/v1/servicemonitor_types.go (0.86).
constexpr std::array kServiceMonitor{
    PartDef{"endpoints", kAny, "spec.endpoints", "ports of those Services that it asks", 2},
    kLabels,
    PartDef{"namespaces", kAny, "spec.namespaceSelector", "where it looks for them", 2},
    PartDef{"selector", kAny, "spec.selector", "labels of the Services it asks", 4},
};
// Sources: kubernetes-sigs/cluster-api (KubeadmControlPlane, Cluster), cluster-api-provider-aws, -azure and -gcp
// (managed control planes), rancher/cluster-api-provider-rke2, k3s-io/cluster-api-k3s,
// kubernetes:cmd/kubeadm/app/apis/kubeadm, eksctl-io/eksctl:pkg/apis/eksctl.io/v1alpha5/types.go,
// kubernetes/kops:pkg/apis/kops/v1alpha2/cluster.go.
constexpr std::array kInstalledCluster{
    PartDef{"version", kText,
            "spec.version|spec.topology.version|spec.kubernetesVersion|spec.controlPlaneVersion|kubernetesVersion|"
            "metadata.version",
            "release of Kubernetes"},
};
// Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go (2.3).
constexpr std::array kTrainJob{PartDef{"runtime", kAny, "spec.runtimeRef", "the runtime that it is made by", 1}};
// Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go (2.3).
constexpr std::array kTrainingRuntime{
    PartDef{"jobs", kAny, "spec.template.spec.replicatedJobs", "jobs of the JobSet it makes", 7},
    PartDef{"pod_group", kAny, "spec.podGroupPolicy", "the PodGroup it makes", 4},
};
// Source: volcano-sh/apis:pkg/apis/batch/v1alpha1/job.go.
constexpr std::array kVolcanoJob{
    PartDef{"max_retry", kInt, "spec.maxRetry", "restarts before it has failed"},
    PartDef{"min_available", kInt, "spec.minAvailable", "pods it wants placed together"},
    PartDef{"plugins", kAny, "spec.plugins", "what Volcano adds to its pods", 1},
    PartDef{"policies", kAny, "spec.policies", "what it does when something happens", 3},
    PartDef{"tasks", kAny, "spec.tasks", "its tasks", 8},
    PartDef{"topology", kAny, "spec.networkTopology", "how near its pods stand", 2},
};

// Source: volcano-sh/apis:pkg/apis/flow/v1alpha1/jobflow_types.go.
constexpr std::array kVolcanoJobFlow{
    PartDef{"flows", kAny, "spec.flows", "the JobTemplates it makes Jobs of, and in which order", 3},
};
constexpr std::array kVolcanoJobTemplate{kLabels};

constexpr std::array kDefs{
    ManifestDef{"analysis_templates", "analysis_template", "AnalysisTemplates of Argo Rollouts", "argoproj.io",
                "AnalysisTemplate ClusterAnalysisTemplate", kAnalysisTemplate},
    ManifestDef{"argo_workflows", "argo_workflow", "workflows of Argo, and templates of them", "argoproj.io",
                "CronWorkflow Workflow WorkflowTemplate", kArgoWorkflow},
    ManifestDef{"autoscalers", "autoscaler", "HorizontalPodAutoscalers", "autoscaling", "HorizontalPodAutoscaler",
                kAutoscaler},
    ManifestDef{"clique_sets", "clique_set", "PodCliqueSets of Grove", "grove.io", "PodCliqueSet", kCliqueSet},
    ManifestDef{"cluster_queues", "written_cluster_queue", "ClusterQueues of Kueue as they are written",
                "kueue.x-k8s.io", "ClusterQueue", kClusterQueue},
    ManifestDef{"cohorts", "cohort", "Cohorts of Kueue", "kueue.x-k8s.io", "Cohort", kCohortObject},
    ManifestDef{"compose_files", "compose_file", "files of Docker Compose", "", "", kComposeFile},
    ManifestDef{"compute_classes", "compute_class", "ComputeClasses of GKE", "cloud.google.com", "ComputeClass",
                kComputeClass},
    ManifestDef{"compute_domains", "compute_domain", "ComputeDomains of NVIDIA's DRA driver", "resource.nvidia.com",
                "ComputeDomain", kComputeDomain},
    ManifestDef{"cron_jobs", "cron_job", "CronJobs", "batch", "CronJob", kCronJob},
    ManifestDef{"daemon_sets", "daemon_set", "DaemonSets", "apps extensions", "DaemonSet", kDaemonSet},
    ManifestDef{"deployments", "deployment", "Deployments", "apps", "Deployment", kDeployment},
    ManifestDef{"device_classes", "device_class", "DeviceClasses", "resource.k8s.io", "DeviceClass", kDeviceClass},
    ManifestDef{"device_guests", "device_guest", "pods without accelerators that tolerate the taint of nodes with them",
                "", "", kPod},
    ManifestDef{"device_taint_rules", "device_taint_rule", "DeviceTaintRules", "resource.k8s.io", "DeviceTaintRule",
                kDeviceTaintRule},
    ManifestDef{"disruption_budgets", "disruption_budget", "PodDisruptionBudgets", "policy", "PodDisruptionBudget",
                kDisruptionBudget},
    ManifestDef{"ec2_node_classes", "ec2_node_class", "EC2NodeClasses of Karpenter", "karpenter.k8s.aws",
                "EC2NodeClass", kEc2NodeClass},
    ManifestDef{"eks_node_groups", "eks_node_group", "node groups of EKS, of Crossplane and of Terraform (with GPUs)",
                "eks.aws.upbound.io", "NodeGroup", kEksNodeGroup},
    ManifestDef{"flavor_objects", "flavor_object", "ResourceFlavors of Kueue as they are written", "kueue.x-k8s.io",
                "ResourceFlavor", kFlavorObject},
    ManifestDef{"flux_objects", "flux_object", "what Flux fetches, builds and installs",
                "helm.toolkit.fluxcd.io image.toolkit.fluxcd.io kustomize.toolkit.fluxcd.io source.toolkit.fluxcd.io",
                "Bucket GitRepository HelmChart HelmRelease HelmRepository ImagePolicy ImageRepository "
                "ImageUpdateAutomation Kustomization OCIRepository",
                kFlux},
    ManifestDef{"gateway_routes", "gateway_route", "routes of a Gateway", "gateway.networking.k8s.io",
                "GRPCRoute HTTPRoute", kGatewayRoute},
    ManifestDef{"gateways", "gateway", "Gateways", "gateway.networking.k8s.io", "Gateway", kGateway},
    ManifestDef{"gpu_clusters", "gpu_cluster", "GPUClusters of the GPU Operator", "nvidia.com", "GPUCluster",
                kGpuCluster},
    ManifestDef{"helm_releases", "helm_release",
                "HelmReleases of Flux, Applications of Argo CD, HelmCharts of K3s and RKE2",
                "argoproj.io helm.cattle.io helm.toolkit.fluxcd.io", "Application HelmChart HelmRelease", kHelmRelease},
    ManifestDef{"hyper_node_objects", "hyper_node_object", "HyperNodes of Volcano as they are written",
                "topology.volcano.sh", "HyperNode", kHyperNodeObject},
    ManifestDef{"inference_pools", "inference_pool", "InferencePools of the Gateway API",
                "inference.networking.k8s.io inference.networking.x-k8s.io", "InferencePool", kInferencePool},
    ManifestDef{"inference_services", "inference_service", "InferenceServices of KServe", "serving.kserve.io",
                "InferenceService", kInferenceService},
    ManifestDef{"installed_clusters", "installed_cluster", "what installs a control plane of Kubernetes",
                "cluster.x-k8s.io controlplane.cluster.x-k8s.io eksctl.io infrastructure.cluster.x-k8s.io "
                "kops.k8s.io kubeadm.k8s.io",
                "AWSManagedControlPlane AzureManagedControlPlane Cluster ClusterConfig ClusterConfiguration "
                "GCPManagedControlPlane KThreesControlPlane KubeadmControlPlane RKE2ControlPlane",
                kInstalledCluster},
    ManifestDef{"job_sets", "job_set", "JobSets", "jobset.x-k8s.io", "JobSet", kJobSet},
    ManifestDef{"kai_queues", "kai_queue", "Queues of KAI", "scheduling.run.ai", "Queue", kKaiQueue},
    ManifestDef{"karpenter_old_objects", "karpenter_old_object", "kinds and versions that Karpenter has left behind",
                "karpenter.sh karpenter.k8s.aws", "AWSNodeTemplate EC2NodeClass Machine Provisioner", kKarpenterOld},
    ManifestDef{"knative_services", "knative_service", "Services of Knative", "serving.knative.dev", "Service",
                kKnativeService},
    ManifestDef{"knative_settings", "knative_setting",
                "KnativeServings, and the ConfigMaps config-features and config-deployment of Knative",
                "- operator.knative.dev", "ConfigMap KnativeServing", kKnativeSettings},
    ManifestDef{"kubeflow_jobs", "kubeflow_job", "jobs of the training-operator and the mpi-operator", "kubeflow.org",
                "JAXJob MPIJob PaddleJob PyTorchJob TFJob XGBoostJob", kKubeflowJob},
    ManifestDef{"kubeflow_old_objects", "kubeflow_old_object", "kinds that Kubeflow has left behind",
                "kubeflow.org serving.kubeflow.org", "InferenceService StudyJob", kObject},
    ManifestDef{"kubernetes_jobs", "kubernetes_job", "Jobs of Kubernetes", "batch", "Job", kJob},
    ManifestDef{"kubernetes_namespaces", "kubernetes_namespace", "Namespaces", "-", "Namespace", kLabelled},
    ManifestDef{"kubernetes_roles", "kubernetes_role", "Roles and ClusterRoles", "rbac.authorization.k8s.io",
                "ClusterRole Role", kRole},
    ManifestDef{"kueue_checks", "kueue_check", "AdmissionChecks of Kueue", "kueue.x-k8s.io", "AdmissionCheck",
                kKueueCheck},
    ManifestDef{"kueue_configurations", "kueue_configuration", "configurations of Kueue", "config.kueue.x-k8s.io",
                "Configuration", kKueueConfiguration},
    ManifestDef{"kustomizations", "kustomization", "Kustomizations", "kustomize.config.k8s.io",
                "Component Kustomization", kKustomization},
    ManifestDef{"leader_worker_sets", "leader_worker_set", "LeaderWorkerSets", "leaderworkerset.x-k8s.io",
                "LeaderWorkerSet", kLeaderWorkerSet},
    ManifestDef{"limit_ranges", "limit_range", "LimitRanges", "-", "LimitRange", kLimitRange},
    ManifestDef{"local_volumes", "local_volume", "PersistentVolumes, KServe's node groups", "- serving.kserve.io",
                "LocalModelNodeGroup PersistentVolume", kLocalVolume},
    ManifestDef{"marked_objects", "marked_object", "objects with a label of a scheduler or operator", "", "", kObject},
    ManifestDef{"network_policies", "network_policy", "NetworkPolicies", "networking.k8s.io", "NetworkPolicy",
                kNetworkPolicy},
    ManifestDef{"node_health_checks", "node_health_check", "NodeHealthChecks of medik8s", "remediation.medik8s.io",
                "NodeHealthCheck", kNodeHealthCheck},
    ManifestDef{"node_objects", "node_object", "Nodes as they are written", "-", "Node", kNodeObject},
    ManifestDef{"node_pools", "karpenter_node_pool", "NodePools of Karpenter", "karpenter.sh", "NodePool", kNodePool},
    ManifestDef{"nvidia_drivers", "nvidia_driver", "NVIDIADrivers of the GPU Operator", "nvidia.com", "NVIDIADriver",
                kNvidiaDriver},
    ManifestDef{"nvidia_policies", "nvidia_policy", "ClusterPolicies of the GPU Operator", "nvidia.com",
                "ClusterPolicy", kNvidiaPolicy},
    ManifestDef{"olm_subscriptions", "olm_subscription", "Subscriptions of the Operator Lifecycle Manager",
                "operators.coreos.com", "Subscription", kSubscription},
    ManifestDef{"openshift_routes", "openshift_route", "Routes of OpenShift", "route.openshift.io", "Route",
                kOpenShiftRoute},
    ManifestDef{"pod_group_objects", "pod_group_object", "PodGroups of Volcano, coscheduling and Kubernetes",
                "scheduling.incubator.k8s.io scheduling.k8s.io scheduling.volcano.sh scheduling.x-k8s.io", "PodGroup",
                kPodGroupObject},
    ManifestDef{"pod_makers", "pod_maker", "what makes pods of Kubernetes itself, and Pods", "- apps batch",
                "CronJob DaemonSet Deployment Job Pod ReplicaSet ReplicationController StatefulSet", kPodMaker},
    ManifestDef{"pods", "pod", "pod templates with accelerators or ResourceClaims, in objects of any kind", "", "",
                kPod},
    ManifestDef{"priority_classes", "priority_class", "PriorityClasses", "scheduling.k8s.io", "PriorityClass",
                kPriorityClass},
    ManifestDef{"prometheus_rules", "prometheus_rule", "PrometheusRules of the Prometheus operator",
                "monitoring.coreos.com", "PrometheusRule", kPrometheusRule},
    ManifestDef{"provisioning_configs", "provisioning_config", "ProvisioningRequestConfigs of Kueue", "kueue.x-k8s.io",
                "ProvisioningRequestConfig", kProvisioningConfig},
    ManifestDef{"ray_launchers", "ray_launcher", "cluster configs of the Ray launcher, `ray up`", "", "", kRayLauncher},
    ManifestDef{"ray_objects", "ray_object", "RayClusters, RayJobs and RayServices", "ray.io",
                "RayCluster RayJob RayService", kRay},
    ManifestDef{"ray_runtime_envs", "ray_runtime_env", "runtime_envs of Ray: files, and runtimeEnvYAML of RayJobs", "",
                "", kRayRuntimeEnv},
    ManifestDef{"resource_claims", "resource_claim", "ResourceClaims and ResourceClaimTemplates", "resource.k8s.io",
                "ResourceClaim ResourceClaimTemplate", kResourceClaim},
    ManifestDef{"resource_quotas", "resource_quota", "ResourceQuotas", "-", "ResourceQuota", kResourceQuota},
    ManifestDef{"resource_slices", "resource_slice", "ResourceSlices: devices as their driver publishes them",
                "resource.k8s.io", "ResourceSlice", kResourceSlice},
    ManifestDef{"role_bindings", "role_binding", "RoleBindings and ClusterRoleBindings", "rbac.authorization.k8s.io",
                "ClusterRoleBinding RoleBinding", kRoleBinding},
    ManifestDef{"runtime_classes", "runtime_class", "RuntimeClasses", "node.k8s.io", "RuntimeClass", kRuntimeClass},
    ManifestDef{"scaled_objects", "scaled_object", "ScaledObjects and ScaledJobs of KEDA", "keda.sh",
                "ScaledJob ScaledObject", kScaledObject},
    ManifestDef{"scheduler_configurations", "scheduler_configuration", "configurations of kube-scheduler",
                "kubescheduler.config.k8s.io", "KubeSchedulerConfiguration", kSchedulerConfiguration},
    ManifestDef{"script_maps", "script_map", "ConfigMaps with scripts", "-", "ConfigMap", kScriptMap},
    ManifestDef{"service_monitors", "service_monitor", "ServiceMonitors of the Prometheus operator",
                "monitoring.coreos.com", "ServiceMonitor", kServiceMonitor},
    ManifestDef{"services", "kubernetes_service", "Services", "-", "Service", kService},
    ManifestDef{"serving_runtimes", "serving_runtime", "ServingRuntimes of KServe", "serving.kserve.io",
                "ClusterServingRuntime ServingRuntime", kServingRuntime},
    ManifestDef{"slinky_controllers", "slinky_controller", "slurmctld of slurm-operator", "slinky.slurm.net",
                "Controller", kSlinkyController},
    ManifestDef{"slinky_node_sets", "slinky_node_set", "NodeSets of slurm-operator", "slinky.slurm.net", "NodeSet",
                kSlinkyNodeSet},
    ManifestDef{"soperator_clusters", "soperator_cluster", "SlurmClusters of Soperator", "slurm.nebius.ai",
                "SlurmCluster", kSoperatorCluster},
    ManifestDef{"storage_classes", "storage_class", "StorageClasses", "storage.k8s.io", "StorageClass", kStorageClass},
    ManifestDef{"train_jobs", "train_job", "TrainJobs of Kubeflow Trainer", "trainer.kubeflow.org", "TrainJob",
                kTrainJob},
    ManifestDef{"training_runtimes", "training_runtime", "TrainingRuntimes of Kubeflow Trainer", "trainer.kubeflow.org",
                "ClusterTrainingRuntime TrainingRuntime", kTrainingRuntime},
    ManifestDef{"volcano_job_flows", "volcano_job_flow", "JobFlows of Volcano", "flow.volcano.sh", "JobFlow",
                kVolcanoJobFlow},
    ManifestDef{"volcano_job_templates", "volcano_job_template", "JobTemplates of Volcano", "flow.volcano.sh",
                "JobTemplate", kVolcanoJobTemplate},
    ManifestDef{"volcano_jobs", "volcano_job", "Jobs of Volcano", "batch.volcano.sh", "Job", kVolcanoJob},
    ManifestDef{"volume_claims", "volume_claim", "PersistentVolumeClaims", "-", "PersistentVolumeClaim", kVolumeClaim},
};

constexpr bool sorted(std::span<const ManifestDef> defs) {
  return std::ranges::is_sorted(defs, {}, &ManifestDef::collection) && std::ranges::all_of(defs, [](const auto& def) {
           return std::ranges::is_sorted(def.parts, {}, &PartDef::name);
         });
}
static_assert(sorted(kDefs), "keep the rows and their parts sorted by name");

}  // namespace

std::span<const ManifestDef> manifest_defs() { return kDefs; }

const ManifestDef& manifest_def(std::string_view collection) {
  const auto found = std::ranges::lower_bound(kDefs, collection, {}, &ManifestDef::collection);
  MUSTER_CHECK(found != kDefs.end() && found->collection == collection, "no such described object");
  return *found;
}

}  // namespace muster
