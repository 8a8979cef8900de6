// Formats of models, and the runtimes of KServe that take them.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// What the runtimes of one name take, which is nothing that anybody knows where one does not say.
struct ModelFormats {
  std::set<std::string_view> names;
  std::set<std::string_view> spaces;
  bool cluster = false;
  bool open = false;
};

void add_formats(const Manifest& runtime, ModelFormats& out) {
  const WrittenValue& formats = runtime.part("formats");
  if (runtime.kind == "ClusterServingRuntime") out.cluster = true;
  out.spaces.insert(runtime.space);
  out.open = out.open || formats.state == State::Unknown || formats.items().empty();
  for (const WrittenValue& format : formats.items()) {
    const WrittenValue* name = format.find("name");
    out.open = out.open || name == nullptr || !name->is_text();
    if (name != nullptr) out.names.insert(name->text());
  }
}

/// What KServe brings itself, in whatever release. Sources: kserve/kserve:config/runtimes (0.8 to 0.20) and
/// charts/kserve-resources/templates/clusterservingruntimes.yaml (0.8 to 0.11, of ModelMesh).
bool is_shipped_format(std::string_view name) {
  constexpr std::array<std::string_view, 17> kShipped{
      "autogluon",   "huggingface", "keras",    "lightgbm", "mlflow",  "onnx",
      "openvino",    "openvino_ir", "paddle",   "pmml",     "pytorch", "sklearn",
      "pytorch-mar", "tensorflow",  "tensorrt", "triton",   "xgboost"};
  const std::string lower = to_lower(name);
  return lower == "vllm" ? name != "vllm" : std::ranges::find(kShipped, lower) != kShipped.end();
}

/// Runtimes that have a format, and whether one of them may be chosen for it.
struct FormatRuntimes {
  std::string_view first;
  std::set<std::string_view> spaces;
  bool cluster = false;
  bool chosen = false;
};

using ByFormat = std::map<std::string_view, FormatRuntimes>;

/// False: what the runtime takes is not known.
bool add_runtime_formats(const Manifest& runtime, ByFormat& out) {
  const WrittenValue& formats = runtime.part("formats");
  if (formats.state != State::Set) return formats.state == State::Absent;
  for (const WrittenValue& format : formats.items()) {
    const WrittenValue* name = format.find("name");
    const WrittenValue* chosen = format.find("autoSelect");
    if (name == nullptr || !name->is_text()) return false;
    FormatRuntimes& all = out[name->text()];
    if (all.first.empty()) all.first = runtime.name.value;
    all.cluster = all.cluster || runtime.kind == "ClusterServingRuntime";
    all.spaces.insert(runtime.space);
    // A switch that somebody fills in may be on; of several with the name, of which one is on, one is enough.
    all.chosen = all.chosen || (chosen != nullptr && (chosen->kind != WrittenValue::Kind::Bool || chosen->flag));
  }
  return true;
}

/// InferenceServices that leave the choice to KServe, which chooses none of the runtimes that have their format.
void find_unchosen(Model& model) {
  ByFormat by_format;
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "serving_runtimes" && !add_runtime_formats(one, by_format)) return;
  }
  if (by_format.empty()) return;
  std::set<std::pair<std::string_view, std::string_view>> told;  // by namespace and name, of which a layer names one
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "inference_services" && one.part("model").find("runtime") != nullptr)
      told.insert({one.space, one.name.value});
  }
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "inference_services" || told.contains({one.space, one.name.value})) continue;
    const WrittenValue& served = one.part("model");
    const WrittenValue* format = served.find("modelFormat");
    const WrittenValue* name = format == nullptr ? nullptr : format->find("name");
    if (name == nullptr || !name->is_text() || served.find("runtime") != nullptr) continue;
    const auto found = by_format.find(name->text());
    if (found == by_format.end() || found->second.chosen || is_shipped_format(name->text())) continue;
    const FormatRuntimes& all = found->second;
    if (!all.cluster && !one.space.empty() && !all.spaces.contains("") && !all.spaces.contains(one.space)) continue;
    one.remarks.own().not_chosen = set_to(std::string(all.first), name->where, "name");
  }
}

bool may_be_meant(const ModelFormats& formats, std::string_view space) {
  return formats.cluster || space.empty() || formats.spaces.contains("") || formats.spaces.contains(space);
}

}  // namespace

/// Source: kserve/kserve:pkg/apis/serving/v1beta1/predictor_model.go, RuntimeSupportsModel (aaac4e29).
void relate_model_formats(Model& model) {
  find_unchosen(model);
  const ManifestDef* runtimes = &manifest_def("serving_runtimes");
  const ManifestDef* services = &manifest_def("inference_services");
  std::map<std::pair<std::string_view, std::string_view>, ModelFormats> by_name;  // by bundle and name
  for (const Manifest& one : model.manifests) {
    if (one.def == runtimes && one.name.is_set()) add_formats(one, by_name[{one.bundle, one.name.value}]);
  }
  if (by_name.empty()) return;
  for (Manifest& one : model.manifests) {
    if (one.def != services) continue;
    const WrittenValue& served = one.part("model");
    const WrittenValue* format = served.find("modelFormat");
    const WrittenValue* name = format == nullptr ? nullptr : format->find("name");
    const auto found = by_name.find({one.bundle, served.text_of("runtime")});
    if (name == nullptr || !name->is_text() || name->text().empty() || found == by_name.end()) continue;
    const ModelFormats& formats = found->second;
    if (formats.open || formats.names.contains(name->text()) || !may_be_meant(formats, one.space)) continue;
    std::vector<std::string> shown(formats.names.begin(), formats.names.end());
    if (shown.size() > kShown) shown.resize(kShown);
    one.remarks.own().no_format = set_to(join(shown, ", "), name->where, "name");
  }
}

}  // namespace muster
