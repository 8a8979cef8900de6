#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/model.h"

namespace muster {
namespace {

using CheckName = std::pair<std::string_view, std::string_view>;  // bundle and name
using CheckNames = std::map<CheckName, const Manifest*>;

CheckNames names_of_checks(const Model& model, std::string_view collection) {
  CheckNames out;
  const ManifestDef* def = &manifest_def(collection);
  for (const Manifest& one : model.manifests) {
    if (one.def == def && one.name.is_set()) out.try_emplace({one.bundle, one.name.value}, &one);
  }
  return out;
}

/// The checks of a ClusterQueue that are for all of its flavors.
std::vector<std::string_view> checks_of(const Manifest& queue) {
  std::vector<std::string_view> out;
  const WrittenValue& checks = queue.part("checks");
  const WrittenValue* strategy = checks.find("admissionChecks");
  for (const WrittenValue& one : strategy != nullptr ? strategy->items() : checks.items()) {
    if (one.find("onFlavors") != nullptr) continue;
    const std::string_view name = one.is_text() ? one.text() : one.text_of("name");
    if (!name.empty()) out.push_back(name);
  }
  return out;
}

/// What the provisioning checks of a ClusterQueue manage; `open`: one of them manages all, or is not known.
struct Managed {
  std::set<std::string_view> resources;
  bool open = false;
};

void add_managed(const Manifest& check, const CheckNames& configs, Managed& out) {
  if (check.part("controller").text() != "kueue.x-k8s.io/provisioning-request") return;
  const auto config = configs.find({check.bundle, check.part("parameters").text_of("name")});
  if (config == configs.end()) return void(out.open = true);
  const WrittenValue& managed = config->second->part("managed");
  const bool written = std::ranges::all_of(managed.items(), &WrittenValue::is_text);
  if (managed.state != State::Set || managed.items().empty() || !written) return void(out.open = true);
  for (const WrittenValue& one : managed.items()) out.resources.insert(one.text());
}

bool is_rare_device(std::string_view resource) {
  constexpr std::array<std::string_view, 4> kDevices{"amd.com/gpu", "google.com/tpu", "habana.ai/gaudi",
                                                     "nvidia.com/gpu"};
  return std::ranges::find(kDevices, resource) != kDevices.end();
}

/// An accelerator with a quota that is not among those.
const Quota* device_left_out(const Queue& queue, const Managed& managed) {
  for (const Quota& quota : queue.quotas) {
    const bool some = quota.limit.is_set() && quota.limit.value > Quantity{};
    if (some && is_rare_device(quota.resource) && !managed.resources.contains(quota.resource)) return &quota;
  }
  return nullptr;
}

}  // namespace

/// Source: kubernetes-sigs/kueue:pkg/controller/admissionchecks/provisioning/controller.go, requiredPodSets (0.19).
void relate_checks(Model& model) {
  const CheckNames checks = names_of_checks(model, "kueue_checks");
  const CheckNames configs = names_of_checks(model, "provisioning_configs");
  if (checks.empty() || configs.empty()) return;
  std::map<ObjectKey, const Queue*> queues;
  for (const Queue& queue : model.queues) {
    if (queue.system == GangSystem::Kueue && !queue.local) queues.try_emplace(object_key(queue), &queue);
  }
  const ManifestDef* written = &manifest_def("cluster_queues");
  for (Manifest& one : model.manifests) {
    if (one.def != written) continue;
    const auto queue = queues.find(object_key(one));
    if (queue == queues.end()) continue;
    Managed managed;
    std::set<std::string_view> seen;
    for (const std::string_view name : checks_of(one)) {
      if (!seen.insert(name).second) continue;
      const auto check = checks.find({one.bundle, name});
      if (check != checks.end()) add_managed(*check->second, configs, managed);
    }
    if (managed.open || managed.resources.empty()) continue;
    const Quota* quota = device_left_out(*queue->second, managed);
    if (quota != nullptr) one.remarks.own().unprovisioned = set_to(quota->resource, quota->limit.where, "nominalQuota");
  }
}

}  // namespace muster
