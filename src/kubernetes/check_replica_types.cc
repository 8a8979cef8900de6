#include "kubernetes/check_replica_types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostTypesRead = 100;

struct ReplicaTypes {
  std::string_view api_version;
  std::string_view kind;
  std::string_view field;
  std::array<std::string_view, 2> types;  ///< the second may be empty
};
// Sources: kubeflow/training-operator:pkg/webhooks, pkg/apis/kubeflow.org/v1/mpi_validation.go (1.9);
// kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1/types.go (0.8).
constexpr ReplicaTypes kReplicaTypes[] = {
    {"kubeflow.org/v1", "JAXJob", "jaxReplicaSpecs", {"Worker"}},
    {"kubeflow.org/v1", "MPIJob", "mpiReplicaSpecs", {"Launcher", "Worker"}},
    {"kubeflow.org/v1", "PaddleJob", "paddleReplicaSpecs", {"Master", "Worker"}},
    {"kubeflow.org/v1", "PyTorchJob", "pytorchReplicaSpecs", {"Master", "Worker"}},
    {"kubeflow.org/v1", "XGBoostJob", "xgbReplicaSpecs", {"Master", "Worker"}},
    {"kubeflow.org/v2beta1", "MPIJob", "mpiReplicaSpecs", {"Launcher", "Worker"}},
};

/// The operator writes `worker` as `Worker` before it looks.
bool is_type(std::string_view key, const ReplicaTypes& known) {
  return std::ranges::any_of(known.types, [&](std::string_view type) { return to_lower(key) == to_lower(type); });
}

/// Types of which there is one pod. Sources: kubeflow/training-operator:pkg/webhooks/pytorch/pytorchjob_webhook.go,
/// pkg/webhooks/xgboost/xgboostjob_webhook.go (1.9); kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go,
/// validateLauncherReplicaSpec (0.8).
bool is_single(std::string_view kind, std::string_view api_version, std::string_view type) {
  const std::string low = to_lower(type);
  return (low == "master" && (kind == "PyTorchJob" || kind == "XGBoostJob")) ||
         (low == "launcher" && api_version == "kubeflow.org/v2beta1");
}

void check_single_replica(const Node& spec, std::string_view kind, std::string_view type,
                          std::vector<Finding>& findings) {
  const Node replicas = spec["replicas"];
  const std::optional<std::int64_t> count = parse_int(replicas.text());
  if (!count || *count == 1) return;
  findings.push_back(problem(
      "kubeflow-single-replica", replicas.where(),
      "a " + std::string(kind) + " has one " + std::string(type) + ", and this one wants " + std::to_string(*count)));
  findings.back().field = "replicas";
  findings.back().about = About::Object;
}

}  // namespace

void check_replica_types(const Node& spec, std::string_view api_version, std::string_view kind,
                         std::vector<Finding>& findings) {
  const auto known = std::ranges::find_if(
      kReplicaTypes, [&](const ReplicaTypes& one) { return one.kind == kind && one.api_version == api_version; });
  if (known == std::end(kReplicaTypes)) return;
  const Node replicas = spec[known->field];
  for (std::size_t i = 0; replicas.is_mapping() && i < std::min(replicas.size(), kMostTypesRead); ++i) {
    const Node key = replicas.key(i);
    const bool written = replicas.value(i).is_mapping() && !is_unsaid(key) && key.text() != "<<";
    if (written && is_single(kind, api_version, key.text()))
      check_single_replica(replicas.value(i), kind, key.text(), findings);
    if (!written || is_type(key.text(), *known)) continue;
    const std::string all = known->types[1].empty()
                                ? std::string(known->types[0])
                                : std::string(known->types[0]) + ", " + std::string(known->types[1]);
    findings.push_back(
        problem("kubeflow-replica-type-unknown", key.where(),
                std::string(kind) + " has no replica type `" + std::string(key.text()) + "`; it has " + all));
    findings.back().field = key.text();
    findings.back().about = About::Object;
  }
}

}  // namespace muster
