#include "base/strings.h"
#include "gang/manifest.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

HyperNodeMember read_member(const Node& node, std::vector<Finding>& findings) {
  HyperNodeMember member;
  member.where = node.where();
  member.type = read_text(node["type"], "type", findings);
  const Node selector = node["selector"];
  member.has_selector = selector.is_mapping();
  for (const std::string_view way : {"exactMatch", "regexMatch", "labelMatch"})
    member.selectors += selector[way].exists() ? 1 : 0;
  member.exact = read_text(selector["exactMatch"]["name"], "exactMatch", findings);
  member.regex = read_text(selector["regexMatch"]["pattern"], "regexMatch", findings);
  return member;
}

LevelTopology read_levels(const Artifact& artifact, const NormaliseContext& context, GangSystem system) {
  LevelTopology topology;
  static_cast<Object&>(topology) = read_object(artifact, context);
  topology.system = system;
  const Node levels = spec_of(artifact)["levels"];
  for (std::size_t i = 0; levels.is_sequence() && i < levels.size(); ++i) {
    TopologyLevel level;
    level.where = levels.item(i).where();
    level.label = read_text(levels.item(i)["nodeLabel"], "nodeLabel", context.findings);
    topology.levels.push_back(std::move(level));
  }
  topology.level_count = set_to(static_cast<std::int64_t>(topology.levels.size()),
                                levels.exists() ? levels.key_where() : topology.where, "levels");
  return topology;
}

}  // namespace

namespace hyper_node {
/// topology.volcano.sh/v1alpha1 HyperNode.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  HyperNode hyper_node;
  static_cast<Object&>(hyper_node) = read_object(artifact, context);
  hyper_node.tier = read_int(spec["tier"], "tier", context.findings);
  const Node members = spec["members"];
  for (std::size_t i = 0; members.is_sequence() && i < members.size(); ++i) {
    hyper_node.members.push_back(read_member(members.item(i), context.findings));
  }
  context.model.hyper_nodes.push_back(std::move(hyper_node));
}
}  // namespace hyper_node

namespace kueue_topology {
/// kueue.x-k8s.io Topology.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  context.model.level_topologies.push_back(read_levels(artifact, context, GangSystem::Kueue));
}
}  // namespace kueue_topology

namespace kai_topology {
/// kai.scheduler/v1alpha1 Topology.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  context.model.level_topologies.push_back(read_levels(artifact, context, GangSystem::Kai));
}
}  // namespace kai_topology

namespace kueue_resource_flavor {
/// nvidia.com/gpu, google.com/tpu, aws.amazon.com/neuron, habana.ai/gaudi: taints are called as the resource of the
/// device plugin is. A part of the key begins so.
bool names_device(std::string_view key) {
  for (const std::string_view word : {"gpu", "tpu", "npu", "neuron", "gaudi"}) {
    const std::size_t at = key.find(word);
    if (at != key.npos && (at == 0 || !is_word_char(key[at - 1]))) return true;
  }
  return false;
}

/// kueue.x-k8s.io ResourceFlavor: its labels and its Topology.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  ResourceFlavor flavor;
  static_cast<Object&>(flavor) = read_object(artifact, context);
  flavor.topology = read_text(spec["topologyName"], "topologyName", context.findings);
  const Node labels = spec["nodeLabels"];
  flavor.has_node_labels = labels.is_mapping() && labels.size() > 0;
  flavor.labels_known = true;
  for (std::size_t i = 0; labels.is_mapping() && i < labels.size(); ++i) {
    const Located<std::string> value = read_text(labels.value(i), "nodeLabels", context.findings);
    flavor.labels_known = flavor.labels_known && value.is_set();
    flavor.node_labels[std::string(labels.key(i).text())] = value.value;
  }
  const Node tolerations = spec["tolerations"];
  for (std::size_t i = 0; tolerations.is_sequence() && i < tolerations.size() && !flavor.device_toleration.is_set();
       ++i) {
    const Node key = tolerations.item(i)["key"];
    const std::string_view words = key.text();
    if (names_device(words)) flavor.device_toleration = read_text(key, "key", context.findings);
  }
  context.model.resource_flavors.push_back(std::move(flavor));
}
}  // namespace kueue_resource_flavor

}  // namespace muster
