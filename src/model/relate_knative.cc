// What Knative is set to, and what it runs.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kPodFeature = "kubernetes.podspec-";

/// A field of pods, and the feature without which it is refused, off by default. Source:
/// knative/serving:pkg/apis/config/features.go, defaultFeaturesConfig, and pkg/apis/serving/fieldmask.go (1.19).
struct GatedField {
  std::string_view field;
  std::string_view feature;  ///< behind kPodFeature
};
constexpr std::array<GatedField, 7> kGatedFields{{
    {"affinity", "affinity"},
    {"nodeSelector", "nodeselector"},
    {"priorityClassName", "priorityclassname"},
    {"runtimeClassName", "runtimeclassname"},
    {"schedulerName", "schedulername"},
    {"tolerations", "tolerations"},
    {"topologySpreadConstraints", "topologyspreadconstraints"},
}};

/// What somebody lists of a ConfigMap of Knative; nullptr: nothing. Of a KnativeServing its name may be written short.
/// Source: knative/operator:pkg/reconciler/common/config_maps.go, ConfigMapTransform (5ee67e8a).
const WrittenValue* map_of(const Manifest& one, std::string_view name) {
  const WrittenValue& config = one.part("config");
  if (one.kind == "ConfigMap") return one.name.value == "config-" + std::string(name) ? &config : nullptr;
  const WrittenValue* found = config.find(name);
  return found != nullptr ? found : config.find("config-" + std::string(name));
}

bool asks_nothing(const WrittenValue& value) {
  if (value.state != State::Set || value.kind == WrittenValue::Kind::Null) return true;
  const bool many = value.kind == WrittenValue::Kind::List || value.kind == WrittenValue::Kind::Map;
  return many ? value.items().empty() : value.text().empty();
}

class KnativeCheck {
 public:
  explicit KnativeCheck(Model& model) : model_(model) {
    const ManifestDef* settings = &manifest_def("knative_settings");
    for (const Manifest& one : model.manifests) {
      if (one.def != settings) continue;
      if (const WrittenValue* map = map_of(one, "features")) take_features(one, *map);
      const WrittenValue* map = map_of(one, "deployment");
      if (map == nullptr) continue;
      if (map->state == State::Unknown || map->find("progress-deadline") != nullptr) deadline_by_ = &one;
    }
  }

  void run() {
    if (features_by_ == nullptr && deadline_by_ == nullptr) return;
    for (Manifest& one : model_.manifests) {
      if (one.def == services_) look(one, one.part("pod"));
      // Without the annotation the mode is that of the installation.
      const std::string_view mode =
          one.def == models_ ? one.part("annotations").text_of("serving.kserve.io/deploymentMode") : std::string_view();
      if (mode == "Serverless" || mode == "Knative") look(one, one.part("predictor"));
    }
  }

 private:
  void take_features(const Manifest& one, const WrittenValue& map) {
    if (map.state == State::Unknown) open_ = true;
    for (std::size_t i = 0; i < map.keys().size(); ++i) {
      const std::string_view key = map.keys()[i];
      if (!key.starts_with(kPodFeature)) continue;
      features_by_ = &one;
      const WrittenValue& value = map.items()[i];
      const bool off = value.state == State::Set && equals_ignoring_case(value.text(), "disabled");
      if (!off) on_.insert(key.substr(kPodFeature.size()));
    }
  }

  void look(Manifest& one, const WrittenValue& pod) {
    if (deadline_by_ != nullptr) one.remarks.own().deadline_by = deadline_by_->name;
    if (features_by_ == nullptr) return;
    one.remarks.own().features_by = features_by_->name;
    std::vector<std::string> refused;
    const WrittenValue* first = nullptr;
    for (const GatedField& row : kGatedFields) {
      const WrittenValue* written = pod.find(row.field);
      if (open_ || written == nullptr || asks_nothing(*written) || on_.contains(row.feature)) continue;
      if (first == nullptr) first = written;
      refused.push_back("`" + std::string(row.field) + "`");
    }
    if (first != nullptr) one.remarks.own().gated = set_to(join(refused, ", "), first->where, first->field);
  }

  Model& model_;
  const ManifestDef* services_ = &manifest_def("knative_services");
  const ManifestDef* models_ = &manifest_def("inference_services");
  const Manifest* features_by_ = nullptr;
  const Manifest* deadline_by_ = nullptr;
  std::set<std::string_view> on_;  ///< by any of them: which cluster each is for nobody says
  bool open_ = false;
};

}  // namespace

void relate_knative(Model& model) { KnativeCheck(model).run(); }

}  // namespace muster
