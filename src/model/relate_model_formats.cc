// Formats of models, and the runtimes of KServe that take them.
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

bool may_be_meant(const ModelFormats& formats, std::string_view space) {
  return formats.cluster || space.empty() || formats.spaces.contains("") || formats.spaces.contains(space);
}

}  // namespace

/// Source: kserve/kserve:pkg/apis/serving/v1beta1/predictor_model.go, RuntimeSupportsModel (aaac4e29).
void relate_model_formats(Model& model) {
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
