#include <array>

#include "base/strings.h"
#include "observe/pod.h"

namespace muster {
namespace {

/// A label that names the workload a pod belongs to, outermost first.
struct OwnerLabel {
  std::string_view label;
  std::string_view kind;
  std::string_view resource;
  bool by_kind;
  Ends ends;
};

// Sources: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go (0.12); kubeflow/trainer tag v1.9.4:
// pkg/apis/kubeflow.org/v1/common_types.go; kubeflow/mpi-operator (0.8);
// ray-project/kuberay:ray-operator/controllers/ray/utils/ constant.go (1.7);
// volcano-sh/apis:pkg/apis/batch/v1alpha1/labels.go (1.15); kubernetes/api:batch/v1/types.go (1.37; without the prefix
// up to 1.26). Of MPIJob, PyTorchJob and the like every pod is needed: docs/gangs.md.
constexpr std::array kOwnerLabels{
    OwnerLabel{"jobset.sigs.k8s.io/jobset-name", "JobSet", "jobsets.jobset.x-k8s.io", false, Ends::Yes},
    OwnerLabel{"training.kubeflow.org/job-name", "", "", true, Ends::Yes},
    OwnerLabel{"ray.io/cluster", "RayCluster", "rayclusters.ray.io", false, Ends::Unknown},
    OwnerLabel{"volcano.sh/job-name", "Job (volcano)", "jobs.batch.volcano.sh", false, Ends::Yes},
    OwnerLabel{"batch.kubernetes.io/job-name", "Job", "jobs.batch", false, Ends::Yes},
    OwnerLabel{"job-name", "Job", "jobs.batch", false, Ends::Yes},
};

struct OwnerKind {
  std::string_view kind;
  std::string_view resource;
  bool by_kind;
  Ends ends;
};
// Of the direct owner, where no label names a workload.
constexpr std::array kOwnerKinds{
    OwnerKind{"DaemonSet", "", false, Ends::No},
    OwnerKind{"JAXJob", "jaxjobs.kubeflow.org", true, Ends::Yes},
    OwnerKind{"Job", "jobs.batch", false, Ends::Yes},
    OwnerKind{"MPIJob", "mpijobs.kubeflow.org", true, Ends::Yes},
    OwnerKind{"Node", "", false, Ends::No},
    OwnerKind{"PaddleJob", "paddlejobs.kubeflow.org", true, Ends::Yes},
    OwnerKind{"PyTorchJob", "pytorchjobs.kubeflow.org", true, Ends::Yes},
    OwnerKind{"RayCluster", "rayclusters.ray.io", false, Ends::Unknown},
    OwnerKind{"ReplicaSet", "", false, Ends::No},
    OwnerKind{"ReplicationController", "", false, Ends::No},
    OwnerKind{"StatefulSet", "", false, Ends::No},
    OwnerKind{"TFJob", "tfjobs.kubeflow.org", true, Ends::Yes},
    OwnerKind{"XGBoostJob", "xgboostjobs.kubeflow.org", true, Ends::Yes},
};

const OwnerKind* known_kind(std::string_view kind) {
  for (const OwnerKind& known : kOwnerKinds) {
    if (known.kind == kind) return &known;
  }
  return nullptr;
}

Node controller_of(const Node& pod) {
  const Node owners = pod["metadata"]["ownerReferences"];
  for (std::size_t i = 0; owners.is_sequence() && i < owners.size(); ++i) {
    if (owners.item(i)["controller"].text() == "true") return owners.item(i);
  }
  return owners.is_sequence() && owners.size() == 1 ? owners.item(0) : Node{};
}

/// A group of a LeaderWorkerSet: each replica is a gang of its own, and comes back when its pods are gone.
/// Source: kubernetes-sigs/lws:api/leaderworkerset/v1/leaderworkerset_types.go (0.10).
Owner leader_worker_group(const Node& labels, std::string_view set) {
  const std::string index(labels["leaderworkerset.sigs.k8s.io/group-index"].text());
  Owner owner{"LeaderWorkerSet", std::string(set), "", "", "LeaderWorkerSet/" + std::string(set), true, Ends::No};
  if (index.empty()) return owner;
  owner.name += "-" + index;
  owner.selector =
      "leaderworkerset.sigs.k8s.io/name=" + std::string(set) + ",leaderworkerset.sigs.k8s.io/group-index=" + index;
  return owner;
}

}  // namespace

std::string_view group_of_api(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == api_version.npos ? api_version : api_version.substr(0, slash);
}

Owner read_owner(const Node& pod) {
  const Node labels = pod["metadata"]["labels"];
  const Node controller = controller_of(pod);
  const std::string_view kind = controller["kind"].text();
  if (const std::string_view set = labels["leaderworkerset.sigs.k8s.io/name"].text(); !set.empty())
    return leader_worker_group(labels, set);
  for (const OwnerLabel& known : kOwnerLabels) {
    const std::string name(labels[known.label].text());
    if (name.empty()) continue;
    Owner owner{std::string(known.kind), name, std::string(known.resource), "", "", known.by_kind, known.ends};
    if (known.kind.empty()) {  // the training operators share a label: the owner tells which
      const OwnerKind* training = known_kind(kind);
      if (training == nullptr) training = known_kind("MPIJob");
      if (kind == "Job") training = known_kind("MPIJob");  // the launcher's pod belongs to a Job of the MPIJob
      owner.kind = training->kind;
      owner.resource = training->resource;
    }
    owner.object = owner.kind + "/" + name;
    return owner;
  }
  if (!controller.exists())
    return {"Pod", std::string(pod["metadata"]["name"].text()), "pods", "", "", false, Ends::Unknown};
  const OwnerKind* known = known_kind(kind);
  Owner owner{std::string(kind), std::string(controller["name"].text()), "", "", "", false, Ends::Unknown};
  owner.object = owner.kind + "/" + owner.name;
  if (known == nullptr) return owner;
  owner.resource = known->resource;
  owner.by_kind = known->by_kind;
  owner.ends = known->ends;
  return owner;
}

std::optional<GroupMembership> read_membership(const Node& pod) {
  const Node labels = pod["metadata"]["labels"];
  const Node annotations = pod["metadata"]["annotations"];
  const auto text = [](const Node& node) { return std::string(node.text()); };
  // Sources: docs/gangs.md, "Five kinds called PodGroup".
  if (const Node native = pod["spec"]["schedulingGroup"]["podGroupName"]; !native.text().empty())
    return GroupMembership{"kubernetes", text(native)};
  if (const Node volcano = annotations["scheduling.k8s.io/group-name"]; !volcano.text().empty()) {
    // volcano-sh/volcano:pkg/controllers/podgroup/pg_controller_handler.go (1.15): podgroup-UID for loose pods.
    return GroupMembership{"volcano", text(volcano), !volcano.text().starts_with("podgroup-")};
  }
  if (const Node group = labels["scheduling.x-k8s.io/pod-group"]; !group.text().empty())
    return GroupMembership{"coscheduling", text(group)};
  for (const Node& group : {labels["pod-group.scheduling.sigs.k8s.io"], labels["pod-group.scheduling.sigs.k8s.io/name"],
                            annotations["gang.scheduling.koordinator.sh/name"]}) {
    if (!group.text().empty()) return GroupMembership{"koordinator", text(group)};
  }
  if (const Node group = annotations["pod-group-name"]; !group.text().empty())
    return GroupMembership{"kai", text(group), false};
  if (const Node group = labels["kueue.x-k8s.io/pod-group-name"]; !group.text().empty())
    return GroupMembership{"kueue", text(group)};
  if (annotations["yunikorn.apache.org/task-group-name"].exists()) {
    const Node app = labels["yunikorn.apache.org/app-id"];
    const Node old = labels["applicationId"];
    const std::string name(app.text().empty() ? old.text() : app.text());
    if (!name.empty()) return GroupMembership{"yunikorn", name};
  }
  return std::nullopt;
}

}  // namespace muster
