// What a cluster-autoscaler and Kueue make of the claims of pods, where the bundle has their files.
#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

using ByName = std::map<std::pair<std::string_view, std::string_view>, const Manifest*>;  // by bundle and name

/// Without a word the policy is PreemptLowerPriority. Source: kubernetes/api:scheduling/v1/types.go (1.37).
bool evicts_others(const Manifest& priority) {
  const WrittenValue& value = priority.part("value");
  const WrittenValue& policy = priority.part("preemption");
  return value.state == State::Set && value.number() > 0 && policy.state != State::Unknown && policy.text() != "Never";
}

/// Source: kubernetes/autoscaler:cluster-autoscaler/docs/dra_support.md (1.36), limitations, and its issue 7683.
void find_preempting(Model& model) {
  std::set<std::string_view> scaled;  // bundles
  ByName priorities;
  for (const Manifest& one : model.manifests) {
    const std::string_view of = one.def->collection;
    if (of == "deployments" && contains(one.name.value, "cluster-autoscaler")) scaled.insert(one.bundle);
    if (of == "priority_classes" && evicts_others(one)) priorities.try_emplace({one.bundle, one.name.value}, &one);
  }
  for (ClaimUse& use : model.claim_uses) {
    const WrittenValue& name = use.pods->part("priority_class");
    if (!scaled.contains(use.bundle) || !name.is_text()) continue;
    if (priorities.contains({use.bundle, name.text()}))
      use.preempts = set_to(std::string(name.text()), name.where, "priorityClassName");
  }
}

std::set<std::string_view> mapped_classes(const Manifest& configuration) {
  std::set<std::string_view> out;
  for (const WrittenValue& mapping : configuration.part("class_mappings").items()) {
    const WrittenValue* classes = mapping.find("deviceClassNames");
    if (classes == nullptr) continue;
    for (const WrittenValue& one : classes->items()) out.insert(one.text());
  }
  return out;
}

/// Source: kubernetes-sigs/kueue:apis/config/v1beta2/configuration_types.go, DeviceClassMapping, and pkg/dra/claims.go
/// (0.19): a DeviceClass without a mapping makes the workload inadmissible.
void find_unmapped(Model& model) {
  std::map<std::string_view, const Manifest*> configurations;  // by bundle; nullptr: several
  for (const Manifest& one : model.manifests) {
    // The file of Kueue's manager has no metadata.
    if (one.def->collection != "kueue_configurations" || (one.name.is_set() && !one.name.value.empty())) continue;
    const auto [found, fresh] = configurations.try_emplace(one.bundle, &one);
    if (!fresh) found->second = nullptr;
  }
  for (ClaimUse& use : model.claim_uses) {
    const auto found = configurations.find(use.bundle);
    if (found == configurations.end() || found->second == nullptr || use.claim == nullptr) continue;
    const WrittenValue& mappings = found->second->part("class_mappings");
    if (mappings.state == State::Unknown) continue;
    const std::set<std::string_view> mapped = mapped_classes(*found->second);
    const auto lost = std::ranges::find_if(use.classes, [&](const std::string& one) { return !mapped.contains(one); });
    if (lost != use.classes.end()) use.unmapped = set_to(*lost, use.target.where, "deviceClassName");
  }
}

}  // namespace

void relate_claims(Model& model) {
  if (model.claim_uses.empty()) return;
  find_preempting(model);
  find_unmapped(model);
}

}  // namespace muster
