// Checks of what the work asks for: features, schedulers, autoscalers and preemption.
#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "model/device_releases.h"
#include "review/readiness.h"

namespace muster {
namespace {

/// A feature of claims that came after them.
struct Feature {
  std::string_view name;
  std::string_view gate;   ///< see src/model/device_releases.h
  std::string_view since;  ///< the release that has it, where the gate is older
};
constexpr Feature kAdminAccess{"admin access", "DRAAdminAccess", ""};
constexpr Feature kAlternatives{"`firstAvailable`", "DRAPrioritizedList", ""};
constexpr Feature kBinding{"binding conditions", "DRADeviceBindingConditions", ""};
constexpr Feature kCapacity{"shares of a capacity", "DRAConsumableCapacity", ""};
constexpr Feature kCounters{"shared counters", "DRAPartitionableDevices", ""};
constexpr Feature kDistinct{"`distinctAttribute`", "DRAConsumableCapacity", ""};
// In 1.34 the scheduler does not make the claim yet.
constexpr Feature kExtended{"`extendedResourceName`", "DRAExtendedResource", "1.35"};
constexpr Feature kLists{"lists as attributes", "DRAListTypeAttributes", ""};
constexpr Feature kTaintRule{"DeviceTaintRule", "DRADeviceTaintRules", ""};
constexpr Feature kTolerations{"tolerations of device taints", "DRADeviceTaints", ""};

struct Used {
  Feature feature;
  const Manifest* by = nullptr;
};

void add_request(const WrittenValue& asked, const Manifest& claim, std::vector<Used>& out) {
  const auto has = [&](std::string_view key) { return asked.find(key) != nullptr; };
  const WrittenValue* admin = asked.find("adminAccess");
  if (admin != nullptr && admin->flag) out.push_back({kAdminAccess, &claim});
  if (has("capacity")) out.push_back({kCapacity, &claim});
  if (has("tolerations")) out.push_back({kTolerations, &claim});
}

void add_devices(const Manifest& slice, std::vector<Used>& out) {
  if (!slice.part("counters").items().empty()) out.push_back({kCounters, &slice});
  for (const WrittenValue& device : slice.part("devices").items()) {
    const WrittenValue* basic = device.find("basic");  // of v1beta1
    const WrittenValue& one = basic == nullptr ? device : *basic;
    if (one.find("bindingConditions") != nullptr) out.push_back({kBinding, &slice});
    const WrittenValue* attributes = one.find("attributes");
    if (attributes == nullptr) continue;
    const auto is_list = [](const WrittenValue& value) {
      return !value.keys().empty() && value.keys().front().ends_with('s');
    };
    if (std::ranges::any_of(attributes->items(), is_list)) out.push_back({kLists, &slice});
  }
}

std::vector<Used> used_features(const DraInput& input) {
  std::vector<Used> out;
  for (const Manifest* claim : input.objects("resource_claims")) {
    for (const WrittenValue& request : claim->part("requests").items()) {
      const WrittenValue* exactly = request.find("exactly");
      add_request(exactly == nullptr ? request : *exactly, *claim, out);
      const WrittenValue* alternatives = request.find("firstAvailable");
      if (alternatives == nullptr) continue;
      out.push_back({kAlternatives, claim});
      for (const WrittenValue& one : alternatives->items()) add_request(one, *claim, out);
    }
    for (const WrittenValue& constraint : claim->part("constraints").items()) {
      if (constraint.find("distinctAttribute") != nullptr) out.push_back({kDistinct, claim});
    }
  }
  for (const Manifest* one : input.objects("device_classes")) {
    if (one->part("extended_resource").is_text()) out.push_back({kExtended, one});
  }
  for (const Manifest* one : input.objects("device_taint_rules")) out.push_back({kTaintRule, one});
  for (const Manifest* one : input.objects("resource_slices")) add_devices(*one, out);
  return out;
}

/// Schedulers that are decided for the work, or that place it.
std::set<std::string> schedulers_of(const DraInput& input) {
  std::set<std::string> out;
  for (const Decision& decision : input.subject().decisions) {
    for (const NamedChoice& further : decision.choices) {
      if (further.id == "gang-scheduler" && further.choice.value) out.insert(*further.choice.value);
    }
  }
  const std::vector<ClaimUse>& uses = input.model().claim_uses;
  for (const ClaimUse& use : uses) {
    if (use.gang && input.model().gangs[*use.gang].scheduler.known())
      out.insert(input.model().gangs[*use.gang].scheduler.value);
  }
  out.erase("none");
  return out;
}

/// The one configuration of Volcano's scheduler, where it does not let it look at claims.
const VolcanoConf* blind_volcano(const DraInput& input) {
  const std::vector<VolcanoConf>& confs = input.model().volcano_confs;
  if (confs.size() != 1 || !confs.front().understood) return nullptr;
  const VolcanoPlugin* predicates = confs.front().plugin("predicates");
  return predicates == nullptr || predicates->claims ? nullptr : &confs.front();
}

/// Gates of the DRA driver that are on though alpha.
std::string alpha_gate(const Manifest& cluster) {
  constexpr std::array<std::string_view, 10> kAlpha{
      "ConsumableShares",          "DRAListTypeAttributes", "DeviceMetadata", "DynamicMIG",
      "FabricManagerPartitioning", "HostManagedIMEXDaemon", "MPSSupport",     "NVMLDeviceHealthCheck",
      "PassthroughSupport",        "TimeSlicingSettings"};
  for (const std::string_view gate : kAlpha) {
    if (flag_at(cluster, "dra_driver", {"featureGates", gate}) == true) return std::string(gate);
  }
  return "";
}

}  // namespace

CheckFound check_features(const DraInput& input) {
  const std::vector<Used> used = used_features(input);
  if (used.empty()) return {CheckResult::NotNeeded, "claims use nothing that came after them"};
  const Version* release = input.release("kubernetes");
  for (const Used& one : used) {
    const Feature& feature = one.feature;
    const DeviceGate& gate = device_gate(feature.gate);
    const std::string first(feature.since.empty() ? gate.alpha : feature.since);
    const ReviewPlace place = input.place(one.by->where);
    const std::optional<bool> stated = input.feature_gate(feature.gate);
    const std::string what = one.by->kind + " `" + one.by->name.value + "` uses " + std::string(feature.name);
    if (stated == false)
      return {CheckResult::Fail, what + ", and the gate " + std::string(feature.gate) + " is off", place};
    const std::string since = stated == true ? ", which is there from " + first + " on"
                              : gate.on.empty()
                                  ? ", behind the gate " + std::string(gate.name) + " from " + first + " on"
                                  : ", on by default from " + std::string(gate.on) + " on";
    if (release == nullptr)
      return {CheckResult::Unknown, what + since + "; the release of Kubernetes is not said", place};
    const bool off = stated != true && gate.on.empty();
    if (off || *release < *Version::parse(stated == true ? std::string_view(first) : gate.on))
      return {CheckResult::Fail, what + since + "; Kubernetes is `" + release->text() + "`", place};
  }
  return {CheckResult::Pass, count_of(used.size(), "use") + " of features that are on"};
}

CheckFound check_scheduler(const DraInput& input) {
  const std::set<std::string> all = schedulers_of(input);
  std::vector<std::string> passed;
  CheckFound open;
  for (const std::string& name : all) {
    const auto row = std::ranges::find(device_schedulers(), name, &DeviceScheduler::name);
    if (row == device_schedulers().end()) {
      passed.push_back("`" + name + "`");  // kube-scheduler and its plugins: as new as the API server
      continue;
    }
    if (const VolcanoConf* blind = name == "volcano" ? blind_volcano(input) : nullptr)
      return {CheckResult::Fail,
              "`volcano` looks at claims where the plugin `predicates` has `predicate.DynamicResourceAllocationEnable: "
              "true`, and ConfigMap `" +
                  blind->name.value + "` has not",
              input.place(blind->where)};
    if (row->since.empty()) return {CheckResult::Fail, "`" + name + "` " + std::string(row->why_not)};
    const Version* release = input.release(row->target);
    const std::string wanted = "`" + name + "` reads resource.k8s.io/v1 from " + std::string(row->since) + " on";
    if (release == nullptr) {
      open = {CheckResult::Unknown,
              wanted + ", and its release is not said: `--target " + std::string(row->target) + "=`"};
    } else if (const Version* server = input.release("kubernetes"); server != nullptr && !row->later_since.empty() &&
                                                                    *server >= *Version::parse(row->later_kubernetes) &&
                                                                    *release < *Version::parse(row->later_since)) {
      return {CheckResult::Fail, "`" + name + "` needs " + std::string(row->later_since) + " on Kubernetes " +
                                     std::string(row->later_kubernetes) + " and later, and it is `" + release->text() +
                                     "`"};
    } else if (*release < *Version::parse(row->since)) {
      return {CheckResult::Fail, wanted + ", and it is `" + release->text() + "`"};
    } else {
      passed.push_back("`" + name + "` `" + release->text() + "`");
    }
  }
  if (!open.evidence.empty()) return open;
  if (passed.empty()) return {CheckResult::Unknown, "no scheduler is decided, and no gang with claims names one"};
  return {CheckResult::Pass, join(passed, ", ")};
}

CheckFound check_alpha_features(const DraInput& input) {
  for (const Manifest* cluster : input.objects("gpu_clusters")) {
    const std::string gate = alpha_gate(*cluster);
    if (!gate.empty())
      return {CheckResult::Fail, "GPUCluster `" + cluster->name.value + "` turns on `" + gate + "`, which is alpha",
              input.place(cluster->where)};
  }
  for (const NodePool* pool : input.pools()) {
    const Located<FactValue>& shared = pool->fact("accelerator.partitioning");
    if (!shared.known()) continue;
    const std::string& how = std::get<std::string>(shared.value);
    if (how == "time-slicing" || how == "mps")
      return {CheckResult::Fail,
              "node pool `" + pool->name.value + "` shares GPUs by `" + how + "`, which is alpha in the DRA driver",
              input.place(shared.where)};
  }
  if (input.pools().empty() && !input.has("gpu_clusters"))
    return {CheckResult::Unknown, "no fleet file says how GPUs are shared: `accelerator.partitioning`"};
  return {CheckResult::Pass, "nothing of it is asked for"};
}

CheckFound check_preemption(const DraInput& input) {
  const std::vector<const Manifest*> classes = input.objects("priority_classes");
  for (const Manifest* one : classes) {
    if (one->part("preemption").text() == "Never" || one->part("value").number() <= 0) continue;
    return {CheckResult::Fail,
            "PriorityClass `" + one->name.value + "` preempts, and kube-scheduler takes no devices away from claims",
            input.place(one->where)};
  }
  return {CheckResult::Pass, classes.empty() ? "no file has a PriorityClass" : "no PriorityClass preempts"};
}

CheckFound check_attribution(const DraInput& input) {
  // Exporters ask the kubelet whose pods hold which device.
  const DeviceGate& gate = device_gate("KubeletPodResourcesDynamicResources");
  const Version* release = input.release("kubernetes");
  if (release != nullptr && *release < *Version::parse(gate.on) && input.feature_gate(gate.name) != true)
    return {CheckResult::Fail,
            "kubelets tell exporters of claims from " + std::string(gate.on) + " on (" + std::string(gate.name) +
                "); Kubernetes is `" + release->text() + "`",
            input.place_of_plane()};
  const std::vector<const Manifest*> clusters = input.objects("gpu_clusters");
  if (!clusters.empty())
    return {CheckResult::Pass, "GPUCluster came with GPU Operator 26.7, whose exporter reads ResourceSlices",
            input.place(clusters.front()->where)};
  for (const Manifest* policy : input.objects("nvidia_policies")) {
    if (flag_at(*policy, "dcgm_exporter", {"enabled"}) == false)
      return {CheckResult::Fail, "ClusterPolicy `" + policy->name.value + "` has no dcgm-exporter",
              input.place(policy->where)};
  }
  return {CheckResult::Unknown,
          "the release of the GPU Operator is not said; its exporter knows pods with claims from 26.7 on"};
}

}  // namespace muster
