#include "model/device_platforms.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "model/manifest.h"

namespace muster {
namespace {

constexpr std::string_view kDraGate = "DynamicResourceAllocation";
constexpr std::string_view kAwsPage = "https://docs.aws.amazon.com/eks/latest/userguide/device-management.html";
constexpr std::string_view kGkePage = "https://docs.cloud.google.com/kubernetes-engine/docs/how-to/set-up-dra";
constexpr std::string_view kCksPage =
    "https://docs.coreweave.com/docs/products/cks/clusters/scheduling/dynamic-reasource-featuregates";
constexpr std::string_view kOpenShiftPages = "openshift/api:features.md and go.mod of release-4.18 to release-4.23";

// The regions of AWS in China have a page of their own, which has no DRA on Auto Mode in any release (2026-11).
constexpr std::array kPlatforms{
    DevicePlatform{"aks", "AKS", kDraGate, "", "", PlatformGate::AsShipped,
                   "has it from Kubernetes 1.34 on, with no flag of its own",
                   "https://blog.aks.azure.com/2026/03/03/multi-instance-gpu-with-dra-on-aks", "2026-03", true},
    DevicePlatform{"cks", "CoreWeave CKS", "DRAResourceClaimDeviceStatus", "1.32", "", PlatformGate::On,
                   "turns it on from Kubernetes 1.32 on", kCksPage, "2026-09", true},
    DevicePlatform{"cks", "CoreWeave CKS", kDraGate, "1.30", "1.34", PlatformGate::On,
                   "turns it on from Kubernetes 1.30 on, where Kubernetes as shipped has it off", kCksPage, "2026-09",
                   true},
    DevicePlatform{"cks", "CoreWeave CKS", kDraGate, "1.34", "", PlatformGate::AsShipped, "has it as Kubernetes has",
                   kCksPage, "2026-09", true},
    DevicePlatform{"eks", "EKS", kDraGate, "", "", PlatformGate::AsShipped,
                   "names it for new clusters from Kubernetes 1.34 on", kAwsPage, "2026-11", true},
    DevicePlatform{"eks-auto-mode", "EKS Auto Mode", kDraGate, "", "1.36", PlatformGate::None,
                   "has no DRA before Kubernetes 1.36", kAwsPage, "2026-11", true},
    DevicePlatform{"eks-auto-mode", "EKS Auto Mode", kDraGate, "1.36", "", PlatformGate::AsShipped,
                   "brings the drivers of NVIDIA and EFA from Kubernetes 1.36 on, in the regions of China not",
                   kAwsPage, "2026-11", true},
    DevicePlatform{"gke", "GKE", kDraGate, "", "", PlatformGate::AsShipped,
                   "has it from Kubernetes 1.34 on, for node pools that are made by hand", kGkePage, "2026-11", false},
    DevicePlatform{"gke-autopilot", "GKE Autopilot", kDraGate, "", "", PlatformGate::None, "has no DRA", kGkePage,
                   "2026-11", false},
    DevicePlatform{"openshift", "OpenShift", "DRAPartitionableDevices", "1.35", "1.36", PlatformGate::Off,
                   "4.22 has it in the feature sets TechPreviewNoUpgrade and DevPreviewNoUpgrade alone",
                   kOpenShiftPages, "2026-11", true},
    DevicePlatform{"openshift", "OpenShift", kDraGate, "", "1.34", PlatformGate::Off,
                   "up to 4.20 (Kubernetes 1.33) has it in the feature sets TechPreviewNoUpgrade and "
                   "DevPreviewNoUpgrade alone",
                   kOpenShiftPages, "2026-11", true},
    DevicePlatform{"openshift", "OpenShift", kDraGate, "1.34", "", PlatformGate::AsShipped,
                   "has it from 4.21 (Kubernetes 1.34) on, with no gate of its own", kOpenShiftPages, "2026-11", true},
};
constexpr auto kRowKey = [](const DevicePlatform& row) { return std::pair(row.id, row.gate); };
static_assert(std::ranges::is_sorted(kPlatforms, {}, kRowKey), "keep the platforms sorted");

/// A label of nodes, or a kind that makes a control plane, by which a platform shows.
struct PlatformMark {
  std::string_view id;
  std::string_view key;    ///< of a label; ends with `/`: of any that begins so
  std::string_view value;  ///< empty: any
};
// Sources: docs of each: EKS (automode-workload.html, managed node groups), GKE (labels of nodes), AKS
// (use-labels.md), OpenShift (machine-config-operator: templates of kubelet.service), CoreWeave (node labels).
constexpr std::array kPlatformLabels{
    PlatformMark{"aks", "kubernetes.azure.com/cluster", ""},
    PlatformMark{"cks", "node.coreweave.cloud/", ""},
    PlatformMark{"eks", "eks.amazonaws.com/nodegroup", ""},
    PlatformMark{"eks-auto-mode", "eks.amazonaws.com/compute-type", "auto"},
    PlatformMark{"gke", "cloud.google.com/gke-nodepool", ""},
    PlatformMark{"openshift", "node.openshift.io/os_id", ""},
};
constexpr std::array kPlaneMakers{
    PlatformMark{"aks", "AzureManagedControlPlane", ""},
    PlatformMark{"eks", "AWSManagedControlPlane", ""},
    PlatformMark{"eks", "ClusterConfig", ""},
    PlatformMark{"gke", "GCPManagedControlPlane", ""},
};

// Sources: containerd/containerd:docs/cri/config.md and RELEASES.md (2.4); cri-o/cri-o and
// kubernetes-sigs/dra-driver-nvidia-gpu:site/content/docs/prerequisites.md (0.5);
// https://docs.docker.com/engine/release-notes/28/ and cncf-tags/container-device-interface:README.md.
constexpr std::array kCdiRuntimes{
    DeviceRuntime{"containerd", "1.7", "2.0", "enable_cdi = true", "2.4"},
    DeviceRuntime{"cri-o", "1.27", "1.27", "", ""},
    DeviceRuntime{"docker", "25.0", "28.2", "\"features\": {\"cdi\": true}", ""},
};

constexpr std::string_view kClusterAutoscalerPages =
    "kubernetes/autoscaler:cluster-autoscaler/docs/dra_support.md (1.36), config/flags/flags.go (1.32, 1.35)";
constexpr std::string_view kKarpenterPages =
    "aws/karpenter-provider-aws:charts/karpenter/README.md (1.12 to 1.15), https://karpenter.sh/docs/tasks/dra/";
constexpr std::string_view kClaimsFlag = "--enable-dynamic-resource-allocation";
constexpr std::array kNodeMakers{
    DeviceAutoscaler{"cluster-autoscaler", "", "1.32", ClaimScaling::None, "", "knows no claims before 1.32",
                     kClusterAutoscalerPages},
    DeviceAutoscaler{"cluster-autoscaler", "1.32", "1.35", ClaimScaling::Told, kClaimsFlag,
                     "has them on trial from 1.32 on, where its flag says so", kClusterAutoscalerPages},
    DeviceAutoscaler{"cluster-autoscaler", "1.35", "", ClaimScaling::On, kClaimsFlag,
                     "has them from 1.35 on, and does not start where its flag says no; shared counters from 1.36 on",
                     kClusterAutoscalerPages},
    DeviceAutoscaler{"karpenter", "", "1.14", ClaimScaling::None, "", "passes over pods with claims before 1.14",
                     kKarpenterPages},
    DeviceAutoscaler{"karpenter", "1.14", "1.15", ClaimScaling::Told, "settings.ignoreDRARequests=false",
                     "passes over pods with claims in 1.14 unless it is told not to", kKarpenterPages},
    DeviceAutoscaler{"karpenter", "1.15", "", ClaimScaling::Told, "settings.enableDRA=true",
                     "makes nodes for claims on AWS from 1.15 on where it is told to (alpha), for `exactly` alone",
                     kKarpenterPages},
    DeviceAutoscaler{"node-auto-provisioning", "", "", ClaimScaling::None, "",
                     "of GKE makes no nodes for claims; its page has no date: look it up again", kGkePage},
};
static_assert(std::ranges::is_sorted(kNodeMakers, {}, &DeviceAutoscaler::name), "keep the autoscalers sorted");

bool is_within(std::string_view from, std::string_view until, const Version& release) {
  return (from.empty() || *Version::parse(from) <= release) && (until.empty() || release < *Version::parse(until));
}

void add_seen(const Manifest& object, std::map<std::string_view, Span>& seen) {
  const std::string_view of = object.def->collection;
  if (of == "node_objects") {
    const WrittenValue& labels = object.part("labels");
    for (std::size_t i = 0; i < labels.keys().size(); ++i) {
      const std::string_view id = platform_of_label(labels.keys()[i], labels.items()[i].text());
      if (!id.empty()) seen.try_emplace(id, object.where);
    }
  } else if (of == "installed_clusters") {
    const auto found = std::ranges::find(kPlaneMakers, object.kind.view(), &PlatformMark::key);
    const bool kops = object.kind == "ClusterConfig" && !object.api_version.view().starts_with("eksctl.io/");
    if (found != kPlaneMakers.end() && !kops) seen.try_emplace(found->id, object.where);
  }
}

}  // namespace

std::span<const DevicePlatform> device_platforms() { return kPlatforms; }

std::span<const std::string_view> platform_ids() {
  static const std::vector<std::string_view> ids = [] {
    std::set<std::string_view> out;
    for (const DevicePlatform& row : kPlatforms) out.insert(row.id);
    return std::vector<std::string_view>(out.begin(), out.end());
  }();
  return ids;
}

const DevicePlatform* platform_row(std::string_view id, std::string_view gate, const Version& release) {
  const auto found = std::ranges::find_if(kPlatforms, [&](const DevicePlatform& row) {
    return row.id == id && row.gate == gate && is_within(row.from, row.until, release);
  });
  return found == kPlatforms.end() ? nullptr : &*found;
}

const DevicePlatform* platform_row(std::string_view id, const Version* release) {
  if (release != nullptr) return platform_row(id, kDraGate, *release);
  const auto found = std::ranges::find_if(kPlatforms, [&](const DevicePlatform& row) {
    return row.id == id && row.gate == kDraGate && row.from.empty() && row.until.empty();
  });
  return found == kPlatforms.end() ? nullptr : &*found;
}

std::optional<std::string_view> platform_claims_from(std::string_view id) {
  for (const DevicePlatform& row : kPlatforms) {
    const bool lacks = row.has == PlatformGate::None || row.has == PlatformGate::Off;
    if (row.id == id && row.gate == kDraGate && lacks) return row.until;
  }
  return std::nullopt;
}

std::string_view platform_of_label(std::string_view key, std::string_view value) {
  for (const PlatformMark& mark : kPlatformLabels) {
    const bool same = mark.key.ends_with('/') ? key.starts_with(mark.key) : key == mark.key;
    if (same && (mark.value.empty() || mark.value == value)) return mark.id;
  }
  return "";
}

std::optional<PlatformSeen> stated_platform(const Model& model) {
  if (model.fleets.size() != 1) return std::nullopt;
  for (const FleetControlPlane& plane : model.fleets.front().control_planes) {
    const auto id = std::ranges::find(platform_ids(), std::string_view(plane.platform.value));
    if (plane.platform.is_set() && id != platform_ids().end()) return PlatformSeen{*id, plane.platform.where, true};
  }
  return std::nullopt;
}

std::optional<PlatformSeen> platform_of(const Model& model) {
  if (std::optional<PlatformSeen> stated = stated_platform(model)) return stated;
  std::map<std::string_view, Span> seen;
  for (const Manifest& object : model.manifests) add_seen(object, seen);
  std::set<std::string_view> ids;
  for (const auto& [id, where] : seen) ids.insert(id);
  const std::string_view id = common_platform(ids);
  return id.empty() ? std::nullopt : std::optional(PlatformSeen{id, seen.at(id), false});
}

std::string_view common_platform(const std::set<std::string_view>& ids) {
  // Nodes of Auto Mode stand beside others of the same EKS.
  if (ids == std::set<std::string_view>{"eks", "eks-auto-mode"}) return "eks";
  return ids.size() == 1 ? *ids.begin() : "";
}

std::span<const DeviceRuntime> device_runtimes() { return kCdiRuntimes; }

const DeviceRuntime* find_device_runtime(std::string_view name) {
  const auto found = std::ranges::find(kCdiRuntimes, name, &DeviceRuntime::name);
  return found == kCdiRuntimes.end() ? nullptr : &*found;
}

std::span<const DeviceAutoscaler> device_autoscalers() { return kNodeMakers; }

const DeviceAutoscaler* autoscaler_row(std::string_view name, const Version* release) {
  const auto found = std::ranges::find_if(kNodeMakers, [&](const DeviceAutoscaler& row) {
    const bool any = row.from.empty() && row.until.empty();
    return row.name == name && (any || (release != nullptr && is_within(row.from, row.until, *release)));
  });
  return found == kNodeMakers.end() ? nullptr : &*found;
}

}  // namespace muster
