// Services and budgets beside what KubeRay makes of a RayService.
#include <algorithm>
#include <map>
#include <optional>

#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kClusterLabel = "ray.io/cluster";
constexpr std::string_view kNodeTypeLabel = "ray.io/node-type";

class RayNames {
 public:
  explicit RayNames(const Model& model) {
    const ManifestDef* rays = &manifest_def("ray_objects");
    for (const Manifest& one : model.manifests) {
      if (one.def == rays && one.name.is_set() && !one.name.value.empty())
        by_name_[{one.bundle, one.name.value}].push_back(&one);
      if (one.def == rays && one.kind.view() == "RayService") services_[one.bundle].push_back(&one);
    }
  }

  bool empty() const { return by_name_.empty(); }

  /// The first for which that holds, of a RayService that is one of few in the namespace, or one that may be there.
  const Manifest* service_with(const Manifest& beside, const auto& holds) const {
    const auto all = services_.find(beside.bundle);
    if (all == services_.end() || all->second.size() > kMostServices) return nullptr;
    for (const Manifest* one : all->second) {
      if (is_beside(*one, beside) && holds(*one)) return one;
    }
    return nullptr;
  }

  /// The one object of Ray in the bundle, be it written several times, where it stands in the namespace, or may.
  const Manifest* only_one(const Manifest& beside) const {
    const Manifest* found = nullptr;
    for (auto at = by_name_.lower_bound({beside.bundle, ""}); at != by_name_.end() && at->first.first == beside.bundle;
         ++at) {
      const auto kind = [](const Manifest* one) { return one->kind.view(); };
      if (found != nullptr ||
          std::ranges::any_of(at->second, [&](const Manifest* one) { return kind(one) != kind(at->second.front()); }))
        return nullptr;
      found = at->second.front();
    }
    return found != nullptr && is_beside(*found, beside) ? found : nullptr;
  }

  /// The object of the kind and name that stands in the namespace, or may.
  const Manifest* find(const Manifest& beside, std::string_view kind, std::string_view name) const {
    const auto found = by_name_.find({beside.bundle, name});
    if (found == by_name_.end()) return nullptr;
    for (const Manifest* one : found->second) {
      if (one->kind.view() == kind && is_beside(*one, beside)) return one;
    }
    return nullptr;
  }

 private:
  static bool is_beside(const Manifest& one, const Manifest& other) {
    return one.space.view() == other.space.view() || one.space.empty() || other.space.empty();
  }

  static constexpr std::size_t kMostServices = 200;  // of a bundle: those of a generator are all alike

  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>> by_name_;  // by bundle
  std::map<std::string_view, std::vector<const Manifest*>> services_;                              // by bundle
};

/// Source: ray-project/kuberay:ray-operator/controllers/ray/utils/util.go, GenerateHeadServiceName and
/// GenerateServeServiceName (1.6).
const Manifest* maker_of(const Manifest& service, const RayNames& rays) {
  for (const std::string_view ending : {"-head-svc", "-serve-svc"}) {
    std::string_view name = service.name.value;
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    if (const Manifest* maker = rays.find(service, "RayService", name)) return maker;
  }
  return nullptr;
}

/// Whether it is for what Ray Serve answers: a Service for the dashboard alone does no harm.
bool sends_to_serve(const Manifest& service) {
  return std::ranges::any_of(service.part("ports").items(), [](const WrittenValue& port) {
    return port.text_of("port") == "8000" || port.text_of("targetPort") == "8000" || port.text_of("name") == "serve" ||
           port.text_of("targetPort") == "serve";
  });
}

/// Whether the head's template has each label that a Service asks for, besides what KubeRay puts on every head: where
/// it asks for no other, every head has them.
bool has_labels_of_head(const Manifest& ray, const WrittenValue& selector) {
  const WrittenValue* made = ray.part("head").find("template");
  const WrittenValue* metadata = made != nullptr ? made->find("metadata") : nullptr;
  const WrittenValue* labels = metadata != nullptr ? metadata->find("labels") : nullptr;
  for (std::size_t i = 0; i < selector.keys().size(); ++i) {
    if (selector.keys()[i] == kNodeTypeLabel) continue;
    const WrittenValue* label = labels != nullptr ? labels->find(selector.keys()[i]) : nullptr;
    if (label == nullptr || !label->is_text() || label->text() != selector.items()[i].text()) return false;
  }
  return true;
}

/// Source: ray-project/kuberay:ray-operator/controllers/ray/rayservice_controller.go (1.7),
/// reconcileServicesToReadyCluster.
void note_heads(Manifest& service, const RayNames& rays) {
  const WrittenValue& selector = service.part("selector");
  const WrittenValue* type = selector.find(kNodeTypeLabel);
  if (type == nullptr || type->text() != "head" || selector.find(kClusterLabel) != nullptr || !sends_to_serve(service))
    return;
  const Manifest* ray = rays.service_with(service, [&](const Manifest& one) {
    return one.part("upgrade").state != State::Unknown && one.part("upgrade").text() != "None" &&
           has_labels_of_head(one, selector);
  });
  if (ray != nullptr) service.remarks.own().ray_heads = set_to(ray->name.value, type->where, "selector");
}

/// A cluster has one head, whatever keeps it.
void note_budget_of_head(Manifest& budget, const RayNames& rays) {
  const WrittenValue& selector = budget.part("selector");
  const WrittenValue* labels = selector.find("matchLabels");
  const WrittenValue* type = labels != nullptr ? labels->find(kNodeTypeLabel) : nullptr;
  if (type == nullptr || type->text() != "head" || selector.find("matchExpressions") != nullptr) return;
  const WrittenValue* cluster = labels->find(kClusterLabel);
  if (labels->keys().size() != (cluster != nullptr ? 2U : 1U)) return;
  const Manifest* ray = cluster != nullptr ? rays.find(budget, "RayCluster", cluster->text()) : rays.only_one(budget);
  if (ray != nullptr && ray->kind.view() != "RayJob")
    budget.remarks.own().only_pods = set_to<std::int64_t>(1, ray->where, "headGroupSpec");
}

}  // namespace

void relate_ray(Model& model) {
  const RayNames rays(model);
  if (rays.empty()) return;
  const ManifestDef* services = &manifest_def("services");
  const ManifestDef* budgets = &manifest_def("disruption_budgets");
  for (Manifest& one : model.manifests) {
    if (one.def != services && one.def != budgets) continue;
    const Manifest* maker = one.def == services ? maker_of(one, rays) : nullptr;
    if (maker != nullptr)
      one.remarks.own().made_by =
          set_to(std::string(maker->kind.view()) + " `" + maker->name.value + "`", one.name.where, "name");
    if (one.def == services && maker == nullptr) note_heads(one, rays);
    if (one.def == budgets) note_budget_of_head(one, rays);
    const WrittenValue& selector = one.part("selector");
    const WrittenValue* labels = one.def == services ? &selector : selector.find("matchLabels");
    const WrittenValue* label = labels != nullptr ? labels->find(kClusterLabel) : nullptr;
    if (label == nullptr || label->state != State::Set || rays.find(one, "RayCluster", label->text()) != nullptr)
      continue;
    if (rays.find(one, "RayService", label->text()) != nullptr)
      one.remarks.own().ray_service = set_to(label->text(), label->where, "selector");
  }
}

}  // namespace muster
