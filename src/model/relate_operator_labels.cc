// Services that select pods by the name of the object that an operator makes them of.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// A label that an operator gives to pods, whose value is the object's name, and the kinds of such objects.
struct NameLabel {
  std::string_view label;
  std::string_view kinds;
  std::string_view others;  ///< kinds that make such objects under names of their own
};
// Sources: kubernetes-sigs/jobset:pkg/constants, api/jobset/v1alpha2/jobset_types.go (0.10), JobSetNameKey;
// kubeflow/trainer:pkg/runtime/framework/plugins/jobset (2.1), of a TrainJob's name; kubeflow/training-operator:
// pkg/apis/kubeflow.org/v1/common_types.go (1.9), JobNameLabel; kubernetes-sigs/lws:api/leaderworkerset/v1 (0.7),
// SetNameLabelKey; ray-project/kuberay:ray-operator/controllers/ray/utils/constant.go (1.6), RayClusterLabelKey.
constexpr std::array<NameLabel, 4> kNameLabels{{
    {"jobset.sigs.k8s.io/jobset-name", "JobSet TrainJob", ""},
    {"leaderworkerset.sigs.k8s.io/name", "LeaderWorkerSet", ""},
    {"ray.io/cluster", "RayCluster", "RayCronJob RayJob RayService"},
    {"training.kubeflow.org/job-name", "JAXJob MPIJob PaddleJob PyTorchJob TFJob XGBoostJob", ""},
}};

bool is_one_of_kinds(std::string_view kind, std::string_view kinds) {
  const std::vector<std::string_view> all = split_blanks(kinds);
  return std::ranges::find(all, kind) != all.end();
}

/// The objects of a label's kinds.
class Named {
 public:
  Named(const Model& model, const NameLabel& label) {
    for (const Gang& gang : model.gangs) {
      if (is_one_of_kinds(gang.kind.view(), label.others)) open_ = true;
      if (!is_one_of_kinds(gang.kind.view(), label.kinds)) continue;
      if (!gang.name.is_set() || gang.name.value.empty()) open_ = true;
      names_.insert(gang.name.value);
      places_.insert({folder_of(gang.file), gang.space});
      folders_.insert(folder_of(gang.file));
    }
    // Pods that somebody labels so by hand.
    for (const Manifest& one : model.manifests)
      open_ = open_ || (one.def == makers_ && one.part("pod_labels").find(label.label) != nullptr);
  }

  /// Whether some stand beside the Service, and none anywhere may have that name.
  bool lacks(const Manifest& service, std::string_view name) const {
    if (open_ || names_.contains(name)) return false;
    const std::string_view folder = folder_of(service.file);
    return service.space.empty() ? folders_.contains(folder)
                                 : places_.contains({folder, service.space}) || places_.contains({folder, ""});
  }

 private:
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  std::set<std::string_view> names_;
  std::set<std::pair<std::string_view, std::string_view>> places_;  // folders and namespaces
  std::set<std::string_view> folders_;
  bool open_ = false;
};

}  // namespace

void relate_operator_labels(Model& model) {
  const ManifestDef* services = &manifest_def("services");
  for (const NameLabel& label : kNameLabels) {
    std::optional<Named> named;  // when some Service asks
    for (Manifest& one : model.manifests) {
      if (one.def != services || one.remarks->no_pods.is_set()) continue;
      const WrittenValue& selector = one.part("selector");
      const WrittenValue* value = selector.is_text_map() ? selector.find(label.label) : nullptr;
      if (value == nullptr || !value->is_text()) continue;
      if (!named) named.emplace(model, label);
      if (named->lacks(one, value->text()))
        one.remarks.own().no_pods =
            set_to(std::string(label.label) + "=" + std::string(value->text()), selector.where, "selector");
    }
  }
}

}  // namespace muster
