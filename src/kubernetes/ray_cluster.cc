#include <algorithm>

#include "base/capped.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::string_view kSetting = "kuberay.batchScheduler.name";

struct WorkerGroup {
  Located<std::int64_t> count;  ///< pods wanted: clamp(replicas, min, max) x hosts
  std::int64_t min = 0;         ///< pods at least
  std::int64_t kai = 0;         ///< pods KAI counts: min > 0 ? min : replicas
};

/// Source: ray-project/kuberay:ray-operator/controllers/ray/utils/util.go (1.7.0).
WorkerGroup read_group(const Node& group, std::vector<Finding>& findings) {
  const auto read_or = [&](std::string_view key, std::int64_t fallback) {
    return value_or<std::int64_t>(read_int(group[key], key, findings), fallback);
  };
  const Located<std::int64_t> min = read_or("minReplicas", 0);
  const Located<std::int64_t> max = read_or("maxReplicas", 2147483647);
  const Located<std::int64_t> hosts = read_or("numOfHosts", 1);
  WorkerGroup out;
  out.count = value_or<std::int64_t>(read_int(group["replicas"], "replicas", findings), min.known() ? min.value : 0);
  const bool known = out.count.known() && min.known() && max.known() && hosts.known();
  if (!known) {
    out.count = unknown_until<std::int64_t>("a value for `replicas`", out.count.where, "replicas");
    return out;
  }
  const std::int64_t replicas = out.count.value;
  out.count.value = multiply_capped(std::max(std::min(replicas, max.value), std::min(min.value, max.value)), hosts.value);
  if (group["suspend"].text() == "true") out.count.value = 0;
  out.min = multiply_capped(min.value, hosts.value);
  out.kai = multiply_capped(min.value > 0 ? min.value : replicas, hosts.value);
  return out;
}

void normalise_cluster(const Artifact& artifact, const Node& spec, const NormaliseContext& context) {
  PodWorkload work;
  static_cast<Object&>(work.gang) = read_object(artifact, context);
  work.metadata = artifact.object["metadata"];
  work.gang.evidence.emplace_back("workerGroupSpecs");
  const Node head = spec["headGroupSpec"];
  add_role(work, head["template"], set_to<std::string>("head", head.key_where()),
           defaulted_to<std::int64_t>(1, head.key_where(), "headGroupSpec"), context);
  std::int64_t min = 1;
  std::int64_t kai = 1;
  const Node groups = spec["workerGroupSpecs"];
  for (std::size_t i = 0; groups.is_sequence() && i < groups.size(); ++i) {
    const Node group = groups.item(i);
    WorkerGroup read = read_group(group, context.findings);
    min = add_capped(min, read.min);
    kai = add_capped(kai, read.kai);
    add_role(work, group["template"], read_text(group["groupName"], "groupName", context.findings), std::move(read.count), context);
  }
  const Node autoscaling = spec["enableInTreeAutoscaling"];
  const bool scales = autoscaling.text() == "true";
  if (scales) {
    work.gang.elastic = set_to(true, autoscaling.where(), "enableInTreeAutoscaling");
    work.coupling = PodWorkload::Coupling::NeverByItself;  // workers join one by one by design
  }
  const Located<std::int64_t> all = total_of(work.gang);
  work.gang.operator_setting = kSetting;
  work.gang.operator_guaranteed = all;
  if (scales && all.known()) work.gang.operator_guaranteed.value = min;
  work.volcano = unknown_until<std::int64_t>(std::string(kSetting), work.gang.where);
  work.kai = all;
  if (all.known()) work.kai.value = kai;
  finish_pod_workload(std::move(work), context);
}

}  // namespace

namespace ray_cluster {
/// ray.io/v1 RayCluster.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  normalise_cluster(artifact, spec_of(artifact), context);
}
}  // namespace ray_cluster

namespace ray_job {
/// ray.io/v1 RayJob with a cluster of its own; one that selects a running cluster brings no pods but its submitter.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node cluster = spec_of(artifact)["rayClusterSpec"];
  if (cluster.is_mapping()) normalise_cluster(artifact, cluster, context);
}
}  // namespace ray_job

}  // namespace muster
