#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// Deployments that KServe makes of an InferenceService. Source:
/// kserve/kserve:pkg/controller/v1beta1/inferenceservice/components/predictor.go (0.15).
bool is_of_kserve(std::string_view deployment) {
  return deployment.ends_with("-predictor") || deployment.ends_with("-transformer") ||
         deployment.ends_with("-explainer");
}

/// Autoscalers of a Deployment or StatefulSet that no file has, though others of the kind stand in their folder.
void find_lost_targets(Model& model) {
  const ManifestDef* makers = &manifest_def("pod_makers");
  const ManifestDef* scalers = &manifest_def("autoscalers");
  const ManifestDef* scaled = &manifest_def("scaled_objects");
  std::set<std::pair<std::string_view, std::string_view>> made;     // by kind and name
  std::set<std::pair<std::string_view, std::string_view>> folders;  // that have the kind
  std::set<std::string_view> open;                                  // folders where something else makes objects, too
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>,
           std::vector<const Manifest*>>
      alike;  // by bundle, kind, space and name
  for (const Manifest& one : model.manifests) {
    if (one.def == makers) made.insert({one.kind, one.name.value});
    if (one.def == makers) alike[{one.bundle, one.kind, one.space, one.name.value}].push_back(&one);
    if (one.def == makers) folders.insert({one.kind, folder_of(one.file)});
    if (one.def->collection == "helm_releases") open.insert(folder_of(one.file));
  }
  std::map<ObjectKey, const WrittenValue*> most;
  for (Manifest& one : model.manifests) {
    if (one.def != scalers && one.def != scaled) continue;
    const WrittenValue& target = one.part("target");
    const WrittenValue* name = target.find("name");
    const std::string_view kind = target.text_of("kind").empty() ? "Deployment" : target.text_of("kind");
    if (name == nullptr || name->state != State::Set || name->text().empty() || open.contains(folder_of(one.file)))
      continue;
    const auto found = alike.find({one.bundle, kind, one.space, name->text()});
    const WrittenValue& top = one.part("max");
    if (found != alike.end() && found->second.size() == 1 && top.kind == WrittenValue::Kind::Int)
      most[object_key(*found->second.front())] = &top;
    if (one.def == scalers && found != alike.end() && found->second.size() == 1) {
      const WrittenValue& replicas = found->second.front()->part("replicas");
      if (replicas.state == State::Set && replicas.kind == WrittenValue::Kind::Int)
        one.remarks.own().scaled_from = set_to(replicas.number(), replicas.where, "replicas");
    }
    if (made.contains({kind, name->text()}) || is_of_kserve(name->text()) ||
        !folders.contains({kind, folder_of(one.file)}))
      continue;
    one.remarks.own().dangling =
        set_to(std::string(kind) + " `" + std::string(name->text()) + "`", name->where, "name");
  }
  const ManifestDef* pods = &manifest_def("pods");
  for (Manifest& one : model.manifests) {
    const auto found = one.def == pods ? most.find(object_key(one)) : most.end();
    if (found != most.end()) one.remarks.own().scaled_to = set_to(found->second->number(), found->second->where, "max");
  }
}

/// What scales the target of each; KEDA makes an autoscaler of a ScaledObject.
class Rivals {
 public:
  explicit Rivals(Model& model) {
    for (Manifest& one : model.manifests) {
      if (one.def == scalers_ || (one.def == scaled_ && one.kind == "ScaledObject")) add(one);
      if (one.def == services_ && is_scaled_by_kserve(one))
        services_by_pods_[{one.bundle, folder_of(one.file), one.space, one.name.value + "-predictor"}] = &one;
    }
  }

  /// Those of one folder; elsewhere each may be of another cluster.
  void report() {
    for (const auto& [target, all] : by_target_) {
      // An autoscaler where there is one: what the webhook of KEDA says then is about it.
      const auto scaler = std::ranges::find(all, scalers_, &Manifest::def);
      Manifest& last = scaler != all.end() ? **scaler : *all.back();
      const auto other = std::ranges::find_if(all, [&](const Manifest* one) { return is_rival(*one, last); });
      if (other != all.end())
        last.remarks.own().rival =
            set_to((*other)->kind + " `" + (*other)->name.value + "`", last.place_of("target"), "target");
      const auto& [bundle, folder, space, kind, name] = target;
      const auto service = services_by_pods_.find({bundle, folder, space, std::string(name)});
      if (kind == "Deployment" && service != services_by_pods_.end() && !last.remarks->rival.is_set())
        last.remarks.own().rival =
            set_to("autoscaler that KServe makes for InferenceService `" + service->second->name.value + "`",
                   last.place_of("target"), "target");
    }
  }

 private:
  /// Without Knative KServe makes an autoscaler of its own unless it is told not to. Source:
  /// kserve/kserve:pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go (0.15).
  static bool is_scaled_by_kserve(const Manifest& service) {
    const WrittenValue& annotations = service.part("annotations");
    const std::string_view mode = annotations.text_of("serving.kserve.io/deploymentMode");
    const std::string_view by = annotations.text_of("serving.kserve.io/autoscalerClass");
    return annotations.state == State::Set && (mode == "RawDeployment" || mode == "Standard") &&
           (by.empty() || by == "hpa");
  }

  static const WrittenValue* own_name(const Manifest& one) {
    const WrittenValue* name = one.part("target").find("name");
    return name != nullptr && name->state == State::Set && !name->text().empty() ? name : nullptr;
  }

  void add(Manifest& one) {
    const WrittenValue* name = own_name(one);
    if (name == nullptr || !one.name.is_set() || one.name.value.empty()) return;
    const std::string_view kind = one.part("target").text_of("kind");
    by_target_[{one.bundle, folder_of(one.file), one.space, kind.empty() ? "Deployment" : kind, name->text()}]
        .push_back(&one);
  }

  /// Not another layer of the same object, and not the autoscaler that the ScaledObject takes over.
  bool is_rival(const Manifest& one, const Manifest& last) const {
    if (&one == &last || (one.def == last.def && one.name.value == last.name.value)) return false;
    return !takes_over(one, last) && !takes_over(last, one);
  }

  /// Source: kedacore/keda:apis/keda/v1alpha1/scaledobject_webhook.go, verifyHpas (2.17).
  bool takes_over(const Manifest& scaled, const Manifest& other) const {
    if (scaled.def != scaled_) return false;
    if (other.part("annotations").text_of("validations.keda.sh/hpa-ownership") == "false") return true;
    const WrittenValue& annotations = scaled.part("annotations");
    const WrittenValue* over = annotations.find("scaledobject.keda.sh/transfer-hpa-ownership");
    const bool taken = over != nullptr && (!over->is_text() || over->text() == "true");
    return annotations.state == State::Unknown || taken || other.name.value == "keda-hpa-" + scaled.name.value;
  }

  const ManifestDef* scalers_ = &manifest_def("autoscalers");
  const ManifestDef* scaled_ = &manifest_def("scaled_objects");
  const ManifestDef* services_ = &manifest_def("inference_services");
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string>, const Manifest*>
      services_by_pods_;  // by bundle, folder, namespace and the name of what makes its pods
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::string_view>,
           std::vector<Manifest*>>
      by_target_;  // by bundle, folder, namespace, kind and name
};

}  // namespace

void relate_autoscalers(Model& model) {
  find_lost_targets(model);
  Rivals(model).report();
}

}  // namespace muster
