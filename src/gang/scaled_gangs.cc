#include "gang/scaled_gangs.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

/// Bundle, namespace, kind and name of what is scaled.
using Target = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

bool is_paused(const Manifest& scaler) {
  const WrittenValue& annotations = scaler.part("annotations");
  const WrittenValue* paused = annotations.find("autoscaling.keda.sh/paused");
  return annotations.find("autoscaling.keda.sh/paused-replicas") != nullptr ||
         (paused != nullptr && paused->text() != "false");
}

/// `2 to 30`.
std::string bounds_of(const Manifest& scaler) {
  const auto bound = [&](std::string_view part, std::string_view usual) {
    const WrittenValue& value = scaler.part(part);
    return value.state == State::Absent ? std::string(usual)
           : value.state == State::Set  ? std::string(value.text())
                                        : std::string("some");
  };
  return bound("min", "0") + " to " + bound("max", "100");
}

}  // namespace

void leave_to_autoscalers(Model& model) {
  const ManifestDef* scaled = &manifest_def("scaled_objects");
  std::map<Target, std::pair<const Manifest*, std::set<std::string>>> scalers;  // the first, and bounds of all of them
  for (const Manifest& one : model.manifests) {
    if (one.def != scaled || one.kind != "ScaledObject" || is_paused(one)) continue;
    const WrittenValue& target = one.part("target");
    const std::string_view kind = target.text_of("kind").empty() ? "Deployment" : target.text_of("kind");
    if (target.text_of("name").empty()) continue;
    auto& [first, bounds] = scalers[{one.bundle, one.space, kind, target.text_of("name")}];
    if (first == nullptr) first = &one;
    bounds.insert(bounds_of(one));
  }
  if (scalers.empty()) return;
  for (Gang& gang : model.gangs) {
    if (gang.control_plane != ControlPlane::Kubernetes || gang.roles.size() != 1) continue;
    Located<std::int64_t>& count = gang.roles.front().count;
    if (!count.is_set() || count.value != 0) continue;
    const auto found = scalers.find({gang.bundle, gang.space, gang.kind, gang.name.value});
    if (found == scalers.end()) continue;
    const auto& [first, bounds] = found->second;  // those of several overlays, too
    const std::vector<std::string> all(bounds.begin(), bounds.end());
    count = unknown_until<std::int64_t>(
        "how many pods ScaledObject `" + first->name.value + "` wants (" + join(all, ", or ") + ")", count.where,
        count.field);
  }
}

}  // namespace muster
