#include <algorithm>

#include "gang/manifest.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

Queue read_queue(const Artifact& artifact, const NormaliseContext& context, GangSystem system) {
  Queue queue;
  static_cast<Object&>(queue) = read_object(artifact, context);
  queue.system = system;
  return queue;
}

Quota& quota_of(Queue& queue, std::string_view resource) {
  const auto found = std::ranges::find(queue.quotas, resource, &Quota::resource);
  if (found != queue.quotas.end()) return *found;
  queue.quotas.push_back({std::string(resource), "", {}, {}, {}, {}});
  return queue.quotas.back();
}

/// A resource list such as Volcano's capability.
void read_list(const Node& list, FieldName field, Located<Quantity> Quota::*into, Queue& queue,
               std::vector<Finding>& findings) {
  for (std::size_t i = 0; list.is_mapping() && i < list.size(); ++i) {
    quota_of(queue, list.key(i).text()).*into = read_quantity(list.value(i), field, findings);
  }
}

void read_resource_group(const Node& node, Queue& queue, std::vector<Finding>& findings) {
  const Node covering = node["coveredResources"];
  std::vector<std::string> covered;
  for (std::size_t i = 0; covering.is_sequence() && i < covering.size(); ++i)
    covered.emplace_back(covering.item(i).text());
  const Node flavors = node["flavors"];
  for (std::size_t i = 0; flavors.is_sequence() && i < flavors.size(); ++i) {
    const Node flavor = flavors.item(i);
    const Node resources = flavor["resources"];
    queue.flavors.push_back({read_text(flavor["name"], "name", findings), {}, covered, {}, resources.key_where()});
    for (std::size_t r = 0; resources.is_sequence() && r < resources.size(); ++r) {
      const Node resource = resources.item(r);
      queue.flavors.back().resources.emplace_back(resource["name"].text());
      queue.quotas.push_back({std::string(resource["name"].text()),
                              std::string(flavor["name"].text()),
                              read_quantity(resource["nominalQuota"], "nominalQuota", findings),
                              {},
                              {},
                              read_quantity(resource["borrowingLimit"], "borrowingLimit", findings)});
    }
  }
}

/// The namespaces that a selector names; nothing where it asks for other labels alone.
/// Source: kubernetes/kubernetes:pkg/apis/core/v1/defaults.go, SetDefaults_Namespace (1.36): each has its name as a
/// label.
std::optional<std::vector<std::string>> selected_spaces(const Node& selector) {
  constexpr std::string_view kName = "kubernetes.io/metadata.name";
  if (const Node name = selector["matchLabels"][kName]; name.is_scalar() && !name.text().empty())
    return std::vector{std::string(name.text())};
  const Node expressions = selector["matchExpressions"];
  for (std::size_t i = 0; expressions.is_sequence() && i < expressions.size(); ++i) {
    const Node one = expressions.item(i);
    if (one["key"].text() != kName || one["operator"].text() != "In" || !one["values"].is_sequence()) continue;
    constexpr std::size_t kMostSpaces = 100;
    if (one["values"].size() > kMostSpaces) return std::nullopt;
    std::vector<std::string> out;
    for (std::size_t v = 0; v < one["values"].size(); ++v) out.emplace_back(one["values"].item(v).text());
    return out;
  }
  return std::nullopt;
}

}  // namespace

namespace volcano_queue {
/// scheduling.volcano.sh/v1beta1 Queue.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  Queue queue = read_queue(artifact, context, GangSystem::Volcano);
  read_list(spec["capability"], "capability", &Quota::limit, queue, context.findings);
  read_list(spec["guarantee"]["resource"], "guarantee", &Quota::guarantee, queue, context.findings);
  read_list(spec["deserved"], "deserved", &Quota::deserved, queue, context.findings);
  queue.weight = read_quantity(spec["weight"], "weight", context.findings);
  queue.parent = read_text(spec["parent"], "parent", context.findings);
  context.model.queues.push_back(std::move(queue));
}
}  // namespace volcano_queue

namespace kai_queue {
/// scheduling.run.ai/v2 Queue. Its resources are called gpu, cpu and memory; -1 is no limit, 0 where nothing is
/// written. Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2/queue_types.go (0.17).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  Queue queue = read_queue(artifact, context, GangSystem::Kai);
  const Node resources = spec_of(artifact)["resources"];
  for (const std::string_view resource : {"gpu", "cpu", "memory"}) {
    if (const Node limit = resources[resource]["limit"]; limit.exists())
      quota_of(queue, resource).limit = read_quantity(limit, "limit", context.findings);
    if (const Node quota = resources[resource]["quota"]; quota.exists())
      quota_of(queue, resource).deserved = read_quantity(quota, "quota", context.findings);
  }
  queue.weight = read_quantity(resources["gpu"]["overQuotaWeight"], "overQuotaWeight", context.findings);
  queue.parent = read_text(spec_of(artifact)["parentQueue"], "parentQueue", context.findings);
  context.model.queues.push_back(std::move(queue));
}
}  // namespace kai_queue

namespace kueue_cluster_queue {
/// kueue.x-k8s.io ClusterQueue, v1beta1 (cohort) and v1beta2 (cohortName).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  Queue queue = read_queue(artifact, context, GangSystem::Kueue);
  const bool old = artifact.api_version.ends_with("/v1beta1");
  queue.cohort = read_text(spec[old ? "cohort" : "cohortName"], old ? "cohort" : "cohortName", context.findings);
  const Node selector = spec["namespaceSelector"];
  queue.has_namespace_selector =
      set_to(selector.exists() && !selector.is_null(), selector.key_where(), "namespaceSelector");
  queue.selected_spaces = selected_spaces(selector);
  queue.stop_policy = read_text(spec["stopPolicy"], "stopPolicy", context.findings);
  queue.weight = read_quantity(spec["fairSharing"]["weight"], "weight", context.findings);
  const Node groups = spec["resourceGroups"];
  for (std::size_t i = 0; groups.is_sequence() && i < groups.size(); ++i)
    read_resource_group(groups.item(i), queue, context.findings);
  context.model.queues.push_back(std::move(queue));
}
}  // namespace kueue_cluster_queue

namespace kueue_local_queue {
/// kueue.x-k8s.io LocalQueue.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  Queue queue = read_queue(artifact, context, GangSystem::Kueue);
  queue.local = true;
  queue.cluster_queue = read_text(spec_of(artifact)["clusterQueue"], "clusterQueue", context.findings);
  queue.stop_policy = read_text(spec_of(artifact)["stopPolicy"], "stopPolicy", context.findings);
  context.model.queues.push_back(std::move(queue));
}
}  // namespace kueue_local_queue

}  // namespace muster
