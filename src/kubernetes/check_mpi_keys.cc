#include "kubernetes/check_mpi_keys.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostKeyWords = 1000;

/// The user that the first container runs as, where somebody says it: the operator mounts the keys into that one.
Node user_of(const Node& pod, const Node& container) {
  const Node own = container["securityContext"]["runAsUser"];
  return own.exists() ? own : pod["securityContext"]["runAsUser"];
}

/// Whether the container runs the program, or the image or the operator says what it runs.
bool may_run(const Node& container, std::string_view program) {
  bool said = false;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostKeyWords); ++i) {
      said = true;
      if (contains(words.item(i).text(), program)) return true;
    }
  }
  return !said;
}

/// Somebody mounts keys of its own, becomes root or takes another home.
bool has_own_way(const Node& container) {
  const Node mounts = container["volumeMounts"];
  for (std::size_t i = 0; mounts.is_sequence() && i < std::min(mounts.size(), kMostKeyWords); ++i) {
    if (contains(mounts.item(i)["mountPath"].text(), ".ssh")) return true;
  }
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostKeyWords); ++i) {
      if (contains(words.item(i).text(), "sudo") || contains(words.item(i).text(), "/root/.ssh")) return true;
    }
  }
  return false;
}

}  // namespace

/// Source: kubeflow/mpi-operator:pkg/controller/mpi_job_controller.go, setupSSHOnPod (0.8).
void check_mpi_keys(const Node& spec, std::vector<Finding>& findings) {
  if (spec["sshAuthMountPath"].exists() || spec["<<"].exists()) return;
  for (const auto& [type, program] : {std::pair("Worker", "sshd"), std::pair("Launcher", "mpirun")}) {
    const Node pod = spec["mpiReplicaSpecs"][type]["template"]["spec"];
    const Node containers = pod["containers"];
    if (!containers.is_sequence() || containers.size() == 0) continue;
    const Node user = user_of(pod, containers.item(0));
    const std::optional<std::int64_t> number = parse_int(user.text());
    if (!number || *number == 0 || !may_run(containers.item(0), program) || has_own_way(containers.item(0))) continue;
    findings.push_back(problem("mpi-keys-of-root", user.where(),
                               std::string(type) + " of the MPIJob runs as user " + std::to_string(*number) +
                                   ", and its keys of ssh are mounted at /root/.ssh: `sshAuthMountPath` is not set"));
    findings.back().field = "runAsUser";
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace muster
