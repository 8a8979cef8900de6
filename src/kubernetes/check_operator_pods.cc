#include "kubernetes/check_operator_pods.h"

#include <algorithm>
#include <array>
#include <string>

#include "gang/manifest.h"
#include "kubernetes/check_claim.h"
#include "kubernetes/check_pod_volumes.h"
#include "kubernetes/check_read_only.h"
#include "kubernetes/check_spread.h"
#include "kubernetes/check_tpu_hosts.h"

namespace muster {
namespace {

constexpr int kMostLevelsOfPods = 12;
constexpr std::size_t kMostStepsToPods = 10'000;

struct Operator {
  std::string_view group;
  std::array<std::string_view, 6> adds;  ///< volumes that it gives to pods by itself
};
// Sources: kubeflow/mpi-operator:pkg/controller/mpi_job_controller.go (0.8),
// kubeflow/training-operator:pkg/controller.v1/mpi/mpijob.go (1.9),
// ray-project/kuberay:ray-operator/controllers/ray/common/pod.go (1.7).
constexpr Operator kOperators[] = {
    {"batch.volcano.sh", {}},
    {"jobset.x-k8s.io", {}},
    {"kubeflow.org", {"mpi-job-config", "mpi-job-kubectl", "ssh-auth"}},
    {"leaderworkerset.x-k8s.io", {}},
    {"ray.io", {"gcs-storage", "ray-logs", "ray-tls", "ray-token", "shared-mem"}},
};

const Operator* find_operator(std::string_view group) {
  const auto found = std::ranges::find(kOperators, group, &Operator::group);
  return found == std::end(kOperators) ? nullptr : found;
}

class OperatorPods {
 public:
  OperatorPods(const Operator& maker, const Node& object, std::vector<Finding>& findings)
      : maker_(maker),
        job_(object["metadata"]["name"].text()),
        mounts_more_(maker.group == "batch.volcano.sh" && object["spec"]["volumes"].exists()),
        findings_(findings) {}

  /// `claims`: claim templates of what makes the pods, as of a LeaderWorkerSet.
  void within(const Node& node, const Node& claims, int level) {
    if (level > kMostLevelsOfPods || ++steps_ > kMostStepsToPods) return;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) within(node.item(i), claims, level + 1);
    // Of its policies JobSet makes volumes of the pods.
    if (!node.is_mapping() || node["volumeClaimPolicies"].exists()) return;
    if (node["containers"].is_sequence()) return pod(node, claims);
    if (maker_.group == "ray.io" && node["groupName"].exists()) check_tpu_hosts(node, findings_);
    if (node["spec"]["containers"].is_sequence()) check_spread(node, true, findings_);
    const Node own = node["volumeClaimTemplates"];
    for (std::size_t i = 0; i < node.size(); ++i) within(node.value(i), own.exists() ? own : claims, level + 1);
  }

 private:
  void pod(const Node& pod, const Node& claims) {
    constexpr std::string_view kRule = "operator-pods-refused";
    const std::size_t before = findings_.size();
    check_mounts(pod, claims, kRule, findings_);
    const auto added = [&](const Finding& one) { return is_added(one.field); };
    findings_.erase(std::remove_if(findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end(), added),
                    findings_.end());
    check_mount_paths(pod, findings_);
    check_host_folders(pod, findings_);
    check_pod_claims(pod, findings_);
    for (std::size_t i = before; i < findings_.size(); ++i) findings_[i].rule = kRule;
    check_empty_volumes(pod, findings_);
    check_root(pod, findings_);
    if (!mounts_more_) check_read_only(pod, findings_);
  }

  /// Those of Volcano's plugins are called by the Job: `train-ssh`.
  bool is_added(std::string_view volume) const {
    return std::ranges::find(maker_.adds, volume) != maker_.adds.end() ||
           (maker_.group == "batch.volcano.sh" && !job_.empty() && volume.starts_with(std::string(job_) + "-") &&
            (volume.ends_with("-ssh") || volume.ends_with("-svc")));
  }

  const Operator& maker_;
  std::string_view job_;
  bool mounts_more_;  ///< volumes of the Job, into every container
  std::vector<Finding>& findings_;
  std::size_t steps_ = 0;
};

}  // namespace

void check_operator_pods(const Node& object, std::string_view api_version, std::vector<Finding>& findings) {
  const Operator* maker = find_operator(api_group(api_version));
  if (maker == nullptr) return;
  OperatorPods(*maker, object, findings).within(object["spec"], {}, 0);
}

}  // namespace muster
