#include "kubernetes/check_experiment.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostTrialItems = 100;

/// Kinds whose pods have the containers that are written, and none beside them.
struct TrialKind {
  std::string_view kind;
  std::string_view replicas;  ///< the field with a template for each type; empty: the one template of its spec
};
constexpr std::array kTrialKinds{
    TrialKind{"JAXJob", "jaxReplicaSpecs"},         TrialKind{"Job", ""},
    TrialKind{"MPIJob", "mpiReplicaSpecs"},         TrialKind{"PaddleJob", "paddleReplicaSpecs"},
    TrialKind{"PyTorchJob", "pytorchReplicaSpecs"}, TrialKind{"TFJob", "tfReplicaSpecs"},
    TrialKind{"XGBoostJob", "xgbReplicaSpecs"},
};

/// The names of all containers of the trials; none where somebody fills one in, or adds more.
class TrialContainers {
 public:
  explicit TrialContainers(const Node& trial) {
    const std::string_view kind = trial["kind"].text();
    const auto known = std::ranges::find(kTrialKinds, kind, &TrialKind::kind);
    if (known == kTrialKinds.end()) {
      open_ = true;
      return;
    }
    const Node spec = trial["spec"];
    if (known->replicas.empty()) {
      add(spec["template"]);
      return;
    }
    const Node types = spec[known->replicas];
    open_ = !types.is_mapping() || types.size() > kMostTrialItems || types["<<"].exists();
    for (std::size_t i = 0; !open_ && i < types.size(); ++i) add(types.value(i)["template"]);
  }

  bool lack(std::string_view name) const {
    return !open_ && !names_.empty() && std::ranges::find(names_, name) == names_.end();
  }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  void add(const Node& pod_template) {
    const Node containers = pod_template["spec"]["containers"];
    open_ = open_ || !containers.is_sequence() || containers.size() > kMostTrialItems;
    for (std::size_t i = 0; !open_ && i < containers.size(); ++i) {
      const Node name = containers.item(i)["name"];
      if (!name.is_scalar() || is_unsaid(name)) open_ = true;
      if (std::ranges::find(names_, name.text()) == names_.end()) names_.push_back(name.text());
    }
  }

  bool open_ = false;
  std::vector<std::string_view> names_;
};

/// Whether the collector goes into the pods, beside that container. Push and None do not.
bool is_collected_beside(const Node& spec) {
  const Node kind = spec["metricsCollectorSpec"]["collector"]["kind"];
  if (!kind.exists()) return !spec["metricsCollectorSpec"].exists();
  constexpr std::array<std::string_view, 3> kBeside{"File", "StdOut", "TensorFlowEvent"};
  return std::ranges::find(kBeside, kind.text()) != kBeside.end();
}

}  // namespace

void check_experiment(const Node& spec, std::vector<Finding>& findings) {
  const Node trial = spec["trialTemplate"];
  const Node name = trial["primaryContainerName"];
  if (!name.is_scalar() || is_unsaid(name) || !trial["trialSpec"].is_mapping() || !is_collected_beside(spec)) return;
  const TrialContainers containers(trial["trialSpec"]);
  if (!containers.lack(name.text())) return;
  findings.push_back(problem("katib-primary-container-missing", name.where(),
                             "no container of the trials is called " + in_ticks(name.text()) + "; they have `" +
                                 join(containers.names(), "`, `") + "`"));
  findings.back().field = "primaryContainerName";
  findings.back().about = About::Object;
}

}  // namespace muster
