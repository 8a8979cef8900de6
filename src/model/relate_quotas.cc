#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "model/model.h"

namespace muster {
namespace {

/// What a ResourceQuota can want of each container: resource and list of its `resources`.
struct Want {
  std::string_view hard;  ///< as a quota writes it
  std::string_view list;
  std::string_view resource;
};
constexpr Want kWants[] = {
    {"cpu", "requests", "cpu"},       {"limits.cpu", "limits", "cpu"},     {"limits.memory", "limits", "memory"},
    {"memory", "requests", "memory"}, {"requests.cpu", "requests", "cpu"}, {"requests.memory", "requests", "memory"},
};

/// Whether a container says it; a limit is a request, too. Nothing where somebody fills it in.
std::optional<bool> says(const WrittenValue& container, const Want& want) {
  if (container.state != State::Set || container.kind != WrittenValue::Kind::Map) return std::nullopt;
  const WrittenValue* resources = container.find("resources");
  if (resources == nullptr) return false;
  if (resources->state != State::Set) return std::nullopt;
  for (const std::string_view list : {want.list, std::string_view("limits")}) {
    const WrittenValue* amounts = resources->find(list);
    if (amounts != nullptr && amounts->state != State::Set) return std::nullopt;
    if (amounts != nullptr && amounts->find(want.resource) != nullptr) return true;
  }
  return false;
}

/// The containers of what makes pods, those of each type of a job of Kubeflow.
std::vector<const WrittenValue*> containers_of(const Manifest& maker) {
  std::vector<const WrittenValue*> out;
  const auto take = [&](const WrittenValue* list) {
    for (const WrittenValue& container : list == nullptr ? std::span<const WrittenValue>() : list->items())
      out.push_back(&container);
  };
  // With resources of the pod those of its containers are not asked for.
  if (maker.def == &manifest_def("pod_makers")) {
    if (maker.part("pod_resources").state != State::Absent) return out;
    take(&maker.part("init_containers"));
    take(&maker.part("containers"));
    return out;
  }
  for (const WrittenValue& replicas : maker.part("replica_specs").items()) {
    const WrittenValue* made = replicas.find("template");
    const WrittenValue* pod = made == nullptr ? nullptr : made->find("spec");
    if (pod == nullptr || pod->find("resources") != nullptr) continue;
    take(pod->find("initContainers"));
    take(pod->find("containers"));
  }
  return out;
}

/// The first container that does not say it.
const WrittenValue* silent(const std::vector<const WrittenValue*>& containers, const Want& want) {
  for (const WrittenValue* container : containers) {
    const std::optional<bool> said = says(*container, want);
    if (!said) return nullptr;
    if (!*said) return container;
  }
  return nullptr;
}

}  // namespace

/// Source: kubernetes/kubernetes:pkg/quota/v1/evaluator/core/pods.go, Constraints (1.36).
void relate_quotas(Model& model) {
  const ManifestDef* quotas = &manifest_def("resource_quotas");
  const ManifestDef* ranges = &manifest_def("limit_ranges");
  const ManifestDef* makers = &manifest_def("pod_makers");
  const ManifestDef* jobs = &manifest_def("kubeflow_jobs");
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> by_space;  // by bundle and namespace
  std::set<std::string_view> defaulted;
  for (const Manifest& one : model.manifests) {
    const bool scoped = one.def == quotas && (one.part("scopes").state != State::Absent ||
                                              one.part("scope_selector").state != State::Absent);
    if (one.def == quotas && !scoped && !one.space.empty()) by_space.try_emplace({one.bundle, one.space}, &one);
    if (one.def == ranges) defaulted.insert(one.space);
  }
  if (by_space.empty() || defaulted.contains("")) return;
  for (Manifest& one : model.manifests) {
    if ((one.def != makers && one.def != jobs) || one.space.empty() || defaulted.contains(one.space)) continue;
    const auto found = by_space.find({one.bundle, one.space});
    if (found == by_space.end()) continue;
    const std::vector<const WrittenValue*> containers = containers_of(one);
    for (const Want& want : kWants) {
      if (found->second->part("hard").find(want.hard) == nullptr) continue;
      const WrittenValue* container = silent(containers, want);
      if (container == nullptr) continue;
      const WrittenValue* name = container->find("name");
      one.remarks.own().quota_wants =
          set_to(std::string(want.hard), name != nullptr ? name->where : container->where, "resources");
      break;
    }
  }
}

}  // namespace muster
