// Services and budgets beside what KubeRay makes of a RayService.
#include <map>
#include <optional>

#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kClusterLabel = "ray.io/cluster";

class RayNames {
 public:
  explicit RayNames(const Model& model) {
    const ManifestDef* rays = &manifest_def("ray_objects");
    for (const Manifest& one : model.manifests) {
      if (one.def == rays && one.name.is_set() && !one.name.value.empty())
        by_name_[{one.bundle, one.name.value}].push_back(&one);
    }
  }

  bool empty() const { return by_name_.empty(); }

  /// The object of the kind and name that stands in the namespace, or may.
  const Manifest* find(const Manifest& beside, std::string_view kind, std::string_view name) const {
    const auto found = by_name_.find({beside.bundle, name});
    if (found == by_name_.end()) return nullptr;
    for (const Manifest* one : found->second) {
      const bool same = one->space.view() == beside.space.view() || one->space.empty() || beside.space.empty();
      if (one->kind.view() == kind && same) return one;
    }
    return nullptr;
  }

 private:
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>> by_name_;  // by bundle
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

}  // namespace

void relate_ray(Model& model) {
  const RayNames rays(model);
  if (rays.empty()) return;
  const ManifestDef* services = &manifest_def("services");
  const ManifestDef* budgets = &manifest_def("disruption_budgets");
  for (Manifest& one : model.manifests) {
    if (one.def != services && one.def != budgets) continue;
    if (const Manifest* maker = one.def == services ? maker_of(one, rays) : nullptr)
      one.remarks.own().made_by =
          set_to(std::string(maker->kind.view()) + " `" + maker->name.value + "`", one.name.where, "name");
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
