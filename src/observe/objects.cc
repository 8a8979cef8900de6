#include <algorithm>
#include <array>

#include "base/capped.h"
#include "base/strings.h"
#include "observe/snapshot.h"

namespace muster {
namespace {

std::int64_t count_or(const Node& node, std::int64_t fallback) {
  const auto value = parse_int(node.text());
  return value && *value >= 0 ? *value : fallback;
}

std::string space_of(const Node& metadata) {
  return metadata["namespace"].text().empty() ? "default" : std::string(metadata["namespace"].text());
}

std::int64_t parallelism_of(const Node& job) {
  const std::int64_t parallelism = count_or(job["parallelism"], 1);
  return std::min(parallelism, count_or(job["completions"], parallelism));
}

/// The PodGroup's system by the group of its API: docs/gangs.md.
std::string_view system_of(std::string_view group) {
  if (group == "scheduling.volcano.sh") return "volcano";
  if (group == "scheduling.x-k8s.io") return "coscheduling";
  if (group == "scheduling.sigs.k8s.io") return "koordinator";
  if (group == "scheduling.run.ai") return "kai";
  return group == "scheduling.k8s.io" ? "kubernetes" : "";
}

/// A message of the conditions that is recognised; the first.
std::string telling_condition(const Node& conditions) {
  std::string out;
  each_item(conditions, [&](const Node& one) {
    const std::string message = std::string(one["reason"].text()) + ": " + std::string(one["message"].text());
    if (out.empty() && recognise_tell(message) != nullptr) out = message.substr(0, kMessageKept);
  });
  return out;
}

void read_pod_group(const Node& object, std::string_view system, Snapshot& out) {
  const Node spec = object["spec"];
  PodGroupRecord record;
  const Node min = system == "kubernetes" ? spec["schedulingPolicy"]["gang"]["minCount"] : spec["minMember"];
  if (const auto value = parse_int(min.text()); value && *value > 0) {
    record.min = value;
    record.min_from = system == "kubernetes" ? "minCount of its PodGroup" : "minMember of its PodGroup";
  }
  record.message = telling_condition(object["status"]["conditions"]);
  if (record.message.empty()) record.message = telling_condition(object["status"]["schedulingConditions"]);
  out.groups[std::string(system) + "/" + space_of(object["metadata"]) + "/" +
             std::string(object["metadata"]["name"].text())] = std::move(record);
}

void remark(Snapshot& out, const std::string& about, std::string when, std::string message) {
  Remark& known = out.remarks[about];
  if (std::pair(known.when, known.message) < std::pair(when, message))
    known = {std::move(when), message.substr(0, kMessageKept)};
}

void read_event(const Node& event, Snapshot& out) {
  const Node about = event["involvedObject"].exists() ? event["involvedObject"] : event["regarding"];
  const std::string message = std::string(event["reason"].text()) + ": " + std::string(event["message"].text());
  if (recognise_tell(message) == nullptr) return;
  remark(out, space_of(about) + "/" + std::string(about["kind"].text()) + "/" + std::string(about["name"].text()),
         std::string(event["lastTimestamp"].text()), message);
}

/// A Workload of Kueue speaks about the object that owns it.
void read_kueue_workload(const Node& object, Snapshot& out) {
  const Node conditions = object["status"]["conditions"];
  bool reserved = false;
  bool waiting = false;
  each_item(conditions, [&](const Node& one) {
    reserved = reserved || (one["type"].text() == "QuotaReserved" && one["status"].text() == "True");
    waiting = waiting || (one["type"].text() == "PodsReady" && one["status"].text() == "False");
  });
  std::string message = telling_condition(conditions);
  if (message.empty() && reserved && waiting) message = "QuotaReserved=True, PodsReady=False";
  if (message.empty()) return;
  each_item(object["metadata"]["ownerReferences"], [&](const Node& owner) {
    remark(out,
           space_of(object["metadata"]) + "/" + std::string(owner["kind"].text()) + "/" +
               std::string(owner["name"].text()),
           "", message);
  });
}

void keep_pod(PodRecord pod, Snapshot& out) {
  const std::string key = pod.space + "/" + pod.name;
  const auto [at, fresh] = out.pods.try_emplace(key, pod);
  if (fresh) return;
  PodRecord& kept = at->second;
  if (kept.node == pod.node && kept.state == pod.state) return;
  // Of two moments neither is the later one for sure: take the one that holds more, whatever comes first.
  if (out.twice++ == 0 || key < out.twice_name) out.twice_name = key;
  if (std::pair(pod.state, pod.node) < std::pair(kept.state, kept.node)) kept = std::move(pod);
}

}  // namespace

std::optional<std::int64_t> size_of_workload(const Node& object, std::string& kind) {
  const std::string_view group = group_of_api(object["apiVersion"].text());
  const Node spec = object["spec"];
  kind = object["kind"].text();
  std::int64_t sum = 0;
  if (group == "batch" && kind == "Job") return parallelism_of(spec);
  if (group == "batch.volcano.sh" && kind == "Job") {
    kind = "Job (volcano)";
    each_item(spec["tasks"], [&](const Node& task) { sum = add_capped(sum, count_or(task["replicas"], 0)); });
    return sum;
  }
  if (group == "jobset.x-k8s.io") {
    each_item(spec["replicatedJobs"], [&](const Node& job) {
      sum = add_capped(sum, multiply_capped(count_or(job["replicas"], 1), parallelism_of(job["template"]["spec"])));
    });
    return sum;
  }
  if (group == "leaderworkerset.x-k8s.io") return count_or(spec["leaderWorkerTemplate"]["size"], 1);
  if (group == "ray.io" && kind == "RayCluster") {
    sum = 1;
    each_item(spec["workerGroupSpecs"], [&](const Node& workers) {
      sum = add_capped(sum, multiply_capped(count_or(workers["replicas"], 0), count_or(workers["numOfHosts"], 1)));
    });
    return sum;
  }
  if (group != "kubeflow.org") return std::nullopt;
  constexpr std::string_view kSpecs[] = {"pytorchReplicaSpecs", "tfReplicaSpecs",  "mpiReplicaSpecs",
                                         "jaxReplicaSpecs",     "xgbReplicaSpecs", "paddleReplicaSpecs"};
  for (const std::string_view key : kSpecs) {
    const Node roles = spec[key];
    for (std::size_t i = 0; roles.is_mapping() && i < roles.size(); ++i)
      sum = add_capped(sum, count_or(roles.value(i)["replicas"], 1));
    if (roles.is_mapping()) return sum;
  }
  return std::nullopt;
}

void read_object(const Node& object, Snapshot& out) {
  const std::string_view kind = object["kind"].text();
  const std::string_view group = group_of_api(object["apiVersion"].text());
  const Node metadata = object["metadata"];
  const std::string name(metadata["name"].text());
  if (name.empty() && kind != "Event") return;
  if (kind == "Pod" && group == "v1") return keep_pod(read_pod(object, out.resources), out);
  if (kind == "Node" && group == "v1") {
    DescribedNode record;
    record.marks = read_node_marks(object);
    record.capacity = read_amounts(object["status"]["allocatable"], out.resources);
    out.nodes.insert_or_assign(name, std::move(record));
    return;
  }
  if (kind == "PodGroup" && !system_of(group).empty()) return read_pod_group(object, system_of(group), out);
  if (kind == "Event" && (group == "v1" || group == "events.k8s.io")) return read_event(object, out);
  if (kind == "Workload" && group == "kueue.x-k8s.io") return read_kueue_workload(object, out);
  std::string workload;
  if (const auto size = size_of_workload(object, workload))
    out.sizes[space_of(metadata) + "/" + workload + "/" + name] = *size;
}

}  // namespace muster
