#include "model/device_releases.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/strings.h"

namespace muster {
namespace {

// Sources: kubernetes/kubernetes: defaultVersionedKubernetesFeatureGates of the scheduler's feature gates (1.37), and
// pkg/features/kube_features.go (1.32 to 1.35) for what 1.37 has no more; the list of gates in the reference of
// kubernetes.io (1.37) for those of API server and kubelet; kubernetes/enhancements: kep.yaml of KEPs 3695 and 5677.
constexpr std::array kGates{
    DeviceGate{"DRAAdminAccess", "1.32", "1.34", "1.34", "1.36"},
    DeviceGate{"DRAConsumableCapacity", "1.34", "1.36", "1.36", ""},
    DeviceGate{"DRADerivedAttributes", "1.37", "", "", ""},
    DeviceGate{"DRADeviceBindingConditions", "1.34", "1.36", "1.36", ""},
    DeviceGate{"DRADeviceCompatibilityGroups", "1.37", "", "", ""},
    DeviceGate{"DRADeviceTaintRules", "1.35", "1.36", "1.37", "1.37"},
    DeviceGate{"DRADeviceTaints", "1.33", "1.36", "1.36", "1.37"},
    DeviceGate{"DRAExtendedResource", "1.34", "1.36", "1.36", "1.37"},
    DeviceGate{"DRAListTypeAttributes", "1.36", "", "", ""},
    DeviceGate{"DRANodeAllocatableResources", "1.36", "", "", ""},
    DeviceGate{"DRAOptionalNodeOperations", "1.37", "", "", ""},
    DeviceGate{"DRAPartitionableDevices", "1.33", "1.36", "1.36", ""},
    DeviceGate{"DRAPartitionableDevicesType", "1.37", "", "", ""},
    DeviceGate{"DRAPrioritizedList", "1.33", "1.34", "1.34", "1.36"},
    DeviceGate{"DRAResourceClaimDeviceStatus", "1.32", "1.33", "1.33", "1.37"},
    DeviceGate{"DRAResourceClaimGranularStatusAuthorization", "", "1.36", "1.36", ""},
    DeviceGate{"DRAResourcePoolStatus", "1.36", "", "", ""},
    DeviceGate{"DRASchedulerFilterTimeout", "", "1.34", "1.34", ""},
    DeviceGate{"DRAWorkloadResourceClaims", "1.36", "1.37", "", ""},
    DeviceGate{"DynamicResourceAllocation", "1.26", "1.32", "1.34", "1.34"},
    DeviceGate{"KubeletPodResourcesDynamicResources", "1.27", "1.34", "1.34", "1.36"},
    DeviceGate{"ResourceHealthStatus", "1.31", "1.36", "1.36", ""},
};
static_assert(std::ranges::is_sorted(kGates, {}, &DeviceGate::name), "keep the gates sorted by name");

constexpr std::string_view kClaims = "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice";

// Source: kubernetes/api:resource/*/zz_generated.prerelease-lifecycle.go and the folders of resource and scheduling at
// the tags kubernetes-1.26.0 to 1.37.
constexpr std::array kApis{
    DeviceApi{"resource.k8s.io/v1", kClaims, "1.34", "", ""},
    DeviceApi{"resource.k8s.io/v1", "DeviceTaintRule", "1.37", "", ""},
    DeviceApi{"resource.k8s.io/v1alpha1", "PodScheduling ResourceClaim ResourceClaimTemplate ResourceClass", "1.26", "",
              "1.27"},
    DeviceApi{"resource.k8s.io/v1alpha2", "PodSchedulingContext ResourceClaim ResourceClaimTemplate ResourceClass",
              "1.27", "", "1.31"},
    DeviceApi{"resource.k8s.io/v1alpha2", "ResourceClaimParameters ResourceClassParameters ResourceSlice", "1.30", "",
              "1.31"},
    DeviceApi{"resource.k8s.io/v1alpha3", "DeviceTaintRule", "1.33", "1.36", "1.39"},
    DeviceApi{"resource.k8s.io/v1alpha3", "PodSchedulingContext", "1.31", "", "1.32"},
    DeviceApi{"resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", "1.36", "1.39", "1.42"},
    DeviceApi{"resource.k8s.io/v1alpha3", kClaims, "1.31", "", "1.34"},
    DeviceApi{"resource.k8s.io/v1beta1", kClaims, "1.32", "1.35", "1.38"},
    DeviceApi{"resource.k8s.io/v1beta2", "DeviceTaintRule", "1.36", "1.39", "1.42"},
    DeviceApi{"resource.k8s.io/v1beta2", kClaims, "1.33", "1.36", "1.39"},
    DeviceApi{"scheduling.k8s.io/v1alpha1", "Workload", "1.35", "", "1.36"},
    DeviceApi{"scheduling.k8s.io/v1alpha2", "PodGroup Workload", "1.36", "", "1.37"},
    DeviceApi{"scheduling.k8s.io/v1alpha3", "CompositePodGroup PodGroup Workload", "1.37", "", ""},
    DeviceApi{"scheduling.k8s.io/v1beta1", "PodGroup Workload", "1.37", "", ""},
};

// Sources: volcano-sh/volcano:go.mod (1.14), kai-scheduler/KAI-Scheduler:CHANGELOG.md (0.12; 0.15: rights that
// 1.36 asks for),
// kubernetes-sigs/kueue:keps/2941-DRA (0.15); YuniKorn 1.9 has no informer of claims;
// SlinkyProject/slurm-bridge:docs/workload.md (1.2).
constexpr std::array kSchedulers{
    DeviceScheduler{"kai", "kai", "0.12", "", "1.36", "0.15"},
    DeviceScheduler{"kueue", "kueue", "0.15", "", "", ""},
    DeviceScheduler{"kueue-topology", "kueue", "0.15", "", "", ""},
    DeviceScheduler{
        "slurm-bridge", "slurm-bridge", "",
        "refuses pods that list claims; they get devices by `deviceclass.resource.kubernetes.io/CLASS` alone", "", ""},
    DeviceScheduler{"volcano", "volcano", "1.14", "", "", ""},
    DeviceScheduler{"yunikorn", "yunikorn", "", "up to 1.9 does not look at claims", "", ""},
};

}  // namespace

std::span<const DeviceGate> device_gates() { return kGates; }

const DeviceGate& device_gate(std::string_view name) {
  const auto found = std::ranges::find(kGates, name, &DeviceGate::name);
  MUSTER_CHECK(found != kGates.end(), "no such gate of devices");
  return *found;
}

std::span<const DeviceApi> device_apis() { return kApis; }

const DeviceApi* find_device_api(std::string_view api_version, std::string_view kind) {
  const auto found = std::ranges::find_if(kApis, [&](const DeviceApi& one) {
    if (one.api_version != api_version) return false;
    const std::vector<std::string_view> kinds = split(one.kinds, ' ');
    return std::ranges::find(kinds, kind) != kinds.end();
  });
  return found == kApis.end() ? nullptr : &*found;
}

std::span<const DeviceScheduler> device_schedulers() { return kSchedulers; }

}  // namespace muster
