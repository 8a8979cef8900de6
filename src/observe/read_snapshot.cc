#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/observed.h"
#include "observe/snapshot.h"
#include "syntax/json_lists.h"

namespace muster {
namespace {

// Keys that anything here is read from; all else is not even kept. Sorted.
constexpr std::array kWanted = std::to_array<std::string_view>({"affinity",
                                                                "allocatable",
                                                                "annotations",
                                                                "apiVersion",
                                                                "args",
                                                                "array_job_id",
                                                                "array_task_id",
                                                                "array_task_string",
                                                                "command",
                                                                "completions",
                                                                "conditions",
                                                                "containers",
                                                                "controller",
                                                                "deletionTimestamp",
                                                                "effect",
                                                                "env",
                                                                "gang",
                                                                "gres",
                                                                "gres_detail",
                                                                "headGroupSpec",
                                                                "het_job_id",
                                                                "het_job_offset",
                                                                "infinite",
                                                                "initContainers",
                                                                "involvedObject",
                                                                "items",
                                                                "jaxReplicaSpecs",
                                                                "job_id",
                                                                "job_state",
                                                                "jobs",
                                                                "key",
                                                                "kind",
                                                                "labels",
                                                                "lastTimestamp",
                                                                "leaderWorkerTemplate",
                                                                "limits",
                                                                "matchExpressions",
                                                                "matchFields",
                                                                "message",
                                                                "metadata",
                                                                "minCount",
                                                                "minMember",
                                                                "mpiReplicaSpecs",
                                                                "name",
                                                                "namespace",
                                                                "node",
                                                                "nodeAffinity",
                                                                "nodeName",
                                                                "nodeSelector",
                                                                "nodeSelectorTerms",
                                                                "node_count",
                                                                "nodes",
                                                                "numOfHosts",
                                                                "number",
                                                                "operator",
                                                                "overhead",
                                                                "ownerReferences",
                                                                "paddleReplicaSpecs",
                                                                "parallelism",
                                                                "partition",
                                                                "phase",
                                                                "podGroupName",
                                                                "pytorchReplicaSpecs",
                                                                "real_memory",
                                                                "reason",
                                                                "regarding",
                                                                "replicas",
                                                                "replicatedJobs",
                                                                "requests",
                                                                "requiredDuringSchedulingIgnoredDuringExecution",
                                                                "resourceClaims",
                                                                "resources",
                                                                "restartPolicy",
                                                                "schedulingConditions",
                                                                "schedulingGates",
                                                                "schedulingGroup",
                                                                "schedulingPolicy",
                                                                "set",
                                                                "size",
                                                                "spec",
                                                                "state_reason",
                                                                "status",
                                                                "taints",
                                                                "tasks",
                                                                "template",
                                                                "tfReplicaSpecs",
                                                                "tolerations",
                                                                "tres_alloc_str",
                                                                "tres_per_job",
                                                                "tres_per_node",
                                                                "tres_per_socket",
                                                                "tres_per_task",
                                                                "tres_req_str",
                                                                "type",
                                                                "unschedulable",
                                                                "value",
                                                                "values",
                                                                "workerGroupSpecs",
                                                                "xgbReplicaSpecs"});

// Keys below which names are free. Sorted.
constexpr std::array kFree = std::to_array<std::string_view>(
    {"allocatable", "annotations", "jaxReplicaSpecs", "labels", "limits", "mpiReplicaSpecs", "nodeSelector", "overhead",
     "paddleReplicaSpecs", "pytorchReplicaSpecs", "requests", "tfReplicaSpecs", "xgbReplicaSpecs"});

template <std::size_t N>
constexpr bool sorted(const std::array<std::string_view, N>& words) {
  for (std::size_t i = 1; i < N; ++i) {
    if (words[i - 1] >= words[i]) return false;
  }
  return true;
}
static_assert(sorted(kWanted) && sorted(kFree), "keep kWanted and kFree sorted, without duplicates");

bool is_wanted(std::string_view parent, std::string_view key) {
  if (std::ranges::binary_search(kFree, parent)) return key != "kubectl.kubernetes.io/last-applied-configuration";
  return std::ranges::binary_search(kWanted, key);
}

}  // namespace

Snapshot read_snapshot(const SourceMap& sources) {
  Snapshot out;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    bool ours = false;
    JsonLists lists;
    lists.wanted = is_wanted;
    lists.item = [&](std::string_view list, const Node& item) {
      ours = true;
      if (list == "items") return read_object(item, out);
      if (list == "jobs" && item["job_id"].exists()) return read_job(item, out);
      if (list == "nodes" && item["name"].exists()) return read_slurm_node(item, out);
    };
    lists.root = [&](const Node& root) {
      const bool kubernetes = root["items"].is_sequence() || (root["kind"].exists() && root["metadata"].exists());
      const bool slurm = root["jobs"].is_sequence() || root["nodes"].is_sequence();
      ours = ours || kubernetes || slurm;
      out.kubernetes = out.kubernetes || kubernetes;
      out.slurm = out.slurm || slurm;
      if (kubernetes && !root["items"].is_sequence()) read_object(root, out);
    };
    const std::size_t before = out.findings.size();
    read_json_lists(file, sources.file(file).text(), lists, out.findings);
    if (!ours && out.findings.size() == before) out.unknown.push_back(file);
  }
  return out;
}

std::string known_observations() {
  return "kubectl get pods,podgroups,nodes -A -o json  (also jobs, jobsets and other workloads, events, one file or "
         "several)\n"
         "squeue --json  (and scontrol show nodes --json)\n";
}

}  // namespace muster
