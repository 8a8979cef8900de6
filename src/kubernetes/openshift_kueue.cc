// Kueue as Red Hat's operator installs it: its own object names the kinds, and the operator writes the configuration.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "gang/scheduler.h"
#include "input/kind.h"
#include "model/model.h"

namespace muster::openshift_kueue {
namespace {

constexpr std::size_t kMostFrameworks = 100;

/// Words of the object and of Kueue's configuration. Source:
/// openshift/kueue-operator:pkg/apis/kueueoperator/v1/types.go, pkg/configmap/configmap.go.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kFrameworks{{
    {"AppWrapper", "workload.codeflare.dev/appwrapper"},
    {"BatchJob", "batch/job"},
    {"Deployment", "deployment"},
    {"JobSet", "jobset.x-k8s.io/jobset"},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io/leaderworkerset"},
    {"MPIJob", "kubeflow.org/mpijob"},
    {"PaddleJob", "kubeflow.org/paddlejob"},
    {"Pod", "pod"},
    {"PyTorchJob", "kubeflow.org/pytorchjob"},
    {"RayCluster", "ray.io/raycluster"},
    {"RayJob", "ray.io/rayjob"},
    {"StatefulSet", "statefulset"},
    {"TFJob", "kubeflow.org/tfjob"},
    {"XGBoostJob", "kubeflow.org/xgboostjob"},
}};

/// Comma-separated; empty where one is none of these, or they are too many.
std::string frameworks_in(const Node& list) {
  std::vector<std::string> out;
  if (list.size() > kMostFrameworks) return {};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto found = std::ranges::find(kFrameworks, list.item(i).text(), &decltype(kFrameworks)::value_type::first);
    if (found == kFrameworks.end()) return {};
    out.emplace_back(found->second);
  }
  return join(out, ",");
}

}  // namespace

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = artifact.object["spec"];
  const std::string_view managed = spec["managementState"].text();
  const Node integrations = spec["config"]["integrations"];
  const Node list = integrations["frameworks"];
  if (managed == "Removed" || managed == "Unmanaged" || !list.is_sequence() || list.size() == 0) return;
  const std::string name = setting_name("kueue", "integrations.frameworks");
  const bool more = integrations["externalFrameworks"].size() > 0;
  std::string words = more ? std::string() : frameworks_in(list);
  Located<std::string> value = words.empty() ? unknown_until<std::string>("`" + name + "`", list.key_where())
                                             : set_to(std::move(words), list.key_where());
  context.model.operator_settings.push_back({name, std::move(value), context.file.path, context.file.bundle});
}

}  // namespace muster::openshift_kueue
