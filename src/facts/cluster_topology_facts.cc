// HyperNodes, Topologies of levels, ResourceFlavors, and where descriptions of one network differ.
#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kHyperNodeObject = object_of(kHyperNodeType);
constexpr Type kLevelTopologyObject = object_of(kLevelTopologyType);
constexpr Type kLevelObject = object_of(kTopologyLevelType);
constexpr Type kLevelList = list_of(kLevelObject);

const HyperNode& hyper_node_at(std::size_t index, const ReadContext& context) {
  return context.model->hyper_nodes[index];
}
Value hyper_node_value(const std::optional<std::size_t>& index, const ReadContext& context) {
  return index ? Value::object(&kHyperNodeType, &hyper_node_at(*index, context)) : Value::absent();
}
Value shared_with(const void* object, const ReadContext& context) {
  return hyper_node_value(static_cast<const HyperNode*>(object)->shared_with, context);
}
Value member_owner(const void* object, const ReadContext& context) {
  return Value::object(&kHyperNodeType,
                       &hyper_node_at(static_cast<const HyperNodeMember*>(object)->hyper_node, context));
}
Value member_child(const void* object, const ReadContext& context) {
  return hyper_node_value(static_cast<const HyperNodeMember*>(object)->child, context);
}
Value member_other_parent(const void* object, const ReadContext& context) {
  return hyper_node_value(static_cast<const HyperNodeMember*>(object)->other_parent, context);
}
Value level_topology(const void* object, const ReadContext& context) {
  return Value::object(&kLevelTopologyType,
                       &context.model->level_topologies[static_cast<const TopologyLevel*>(object)->topology]);
}
Value for_devices_alone(const void* object, const ReadContext&) {
  const auto& flavor = *static_cast<const ResourceFlavor*>(object);
  return Value::of(flavor.in_queue && flavor.for_devices_alone);
}
Value member_count(const void* object, const ReadContext&) {
  return Value::of(static_cast<std::int64_t>(static_cast<const HyperNode*>(object)->members.size()));
}

constexpr std::array kHyperNodeFields{
    Field{"cycle", kStringListType, kAlways, "the HyperNodes of a cycle, where this is its first in the input",
          read<HyperNode, &HyperNode::cycle>},
    Field{"member_count", kIntType, kAlways, "its members", member_count},
    Field{"name", kStringType, kAlways, "its name", read<HyperNode, &Object::name>},
    Field{"shared_nodes", kStringListType, kAlways,
          "nodes that an earlier HyperNode of its tier names, too; the first few",
          read<HyperNode, &HyperNode::shared_nodes>},
    Field{"shared_with", kHyperNodeObject, kOptional, "the first such HyperNode", shared_with},
    Field{"tier", kIntType, kOptional, "its tier: the lower, the nearer its nodes", read<HyperNode, &HyperNode::tier>},
};
constexpr std::array kMemberFields{
    Field{"child", kHyperNodeObject, kOptional, "the HyperNode it is, where the input has it", member_child},
    Field{"exact", kStringType, kOptional, "the name it matches exactly",
          read<HyperNodeMember, &HyperNodeMember::exact>},
    Field{"found", kBoolType, kOptional, "a HyperNode of that name is in the input",
          read<HyperNodeMember, &HyperNodeMember::found>},
    Field{"has_selector", kBoolType, kAlways, "a selector is written",
          read<HyperNodeMember, &HyperNodeMember::has_selector>},
    Field{"hyper_node", kHyperNodeObject, kAlways, "the HyperNode it is a member of", member_owner},
    Field{"other_parent", kHyperNodeObject, kOptional, "an earlier HyperNode that has the same member",
          member_other_parent},
    Field{"regex", kStringType, kOptional, "the pattern its names match",
          read<HyperNodeMember, &HyperNodeMember::regex>},
    Field{"selectors", kIntType, kAlways, "how many of exactMatch, regexMatch and labelMatch are written",
          read<HyperNodeMember, &HyperNodeMember::selectors>},
    Field{"type", kStringType, kOptional, "Node or HyperNode", read<HyperNodeMember, &HyperNodeMember::type>},
    Field{"unknown_node", kBoolType, kAlways,
          "the fleet file does not have the node, though it has most that members name",
          read<HyperNodeMember, &HyperNodeMember::unknown_node>},
};
constexpr std::array kLevelTopologyFields{
    Field{"level_count", kIntType, kAlways, "how many levels it has", read<LevelTopology, &LevelTopology::level_count>},
    Field{"levels", kLevelList, kAlways, "its levels, the widest first",
          read_objects<LevelTopology, &LevelTopology::levels, kTopologyLevelType>},
    Field{"name", kStringType, kAlways, "its name", read<LevelTopology, &Object::name>},
    Field{"system", kSystemType, kAlways, "whose it is: kueue or kai", read<LevelTopology, &LevelTopology::system>},
};
constexpr std::array kLevelFields{
    Field{"label", kStringType, kOptional, "nodeLabel", read<TopologyLevel, &TopologyLevel::label>},
    Field{"last", kBoolType, kAlways, "it is the lowest", read<TopologyLevel, &TopologyLevel::last>},
    Field{"on_no_node", kBoolType, kAlways, "the input lists nodes of a cluster, and none has the label",
          read<TopologyLevel, &TopologyLevel::on_no_node>},
    Field{"repeated", kBoolType, kAlways, "a level above has the same label",
          read<TopologyLevel, &TopologyLevel::repeated>},
    Field{"topology", kLevelTopologyObject, kAlways, "the Topology it belongs to", level_topology},
    Field{"wider", kStringType, kOptional, "a level below that is known to be wider",
          read<TopologyLevel, &TopologyLevel::wider>},
};
constexpr std::array kFlavorFields{
    Field{"device_toleration", kStringType, kOptional,
          "the key of a taint of nodes with accelerators that it tolerates",
          read<ResourceFlavor, &ResourceFlavor::device_toleration>},
    Field{"for_devices_alone", kBoolType, kAlways, "ClusterQueues of the input have it, for resources of devices alone",
          for_devices_alone},
    Field{"has_node_labels", kBoolType, kAlways, "it selects nodes by label",
          read<ResourceFlavor, &ResourceFlavor::has_node_labels>},
    Field{"name", kStringType, kAlways, "its name", read<ResourceFlavor, &Object::name>},
    Field{"topology", kStringType, kOptional, "topologyName", read<ResourceFlavor, &ResourceFlavor::topology>},
    Field{"topology_found", kBoolType, kOptional, "that Topology is in the input",
          read<ResourceFlavor, &ResourceFlavor::topology_found>},
};
constexpr std::array kDriftFields{
    Field{"count", kIntType, kAlways, "how many nodes", read<TopologyDrift, &TopologyDrift::count>},
    Field{"missing", kBoolType, kAlways, "the other description does not have them",
          read<TopologyDrift, &TopologyDrift::missing>},
    Field{"nodes", kStringListType, kAlways, "the first few of them", read<TopologyDrift, &TopologyDrift::nodes>},
    Field{"other", kStringType, kAlways, "the unit of the other description: the one they are in, or should be",
          read<TopologyDrift, &TopologyDrift::other>},
    Field{"other_file", kStringType, kAlways, "its file", read<TopologyDrift, &TopologyDrift::other_file>},
    Field{"unit", kStringType, kAlways, "the leaf, block, HyperNode or domain that has them here",
          read<TopologyDrift, &TopologyDrift::unit>},
};

SharedText member_id(const void* object, const ReadContext& context) {
  return hyper_node_at(static_cast<const HyperNodeMember*>(object)->hyper_node, context).id;
}
SharedText level_id(const void* object, const ReadContext& context) {
  return context.model->level_topologies[static_cast<const TopologyLevel*>(object)->topology].id;
}
Span drift_where(const void* object) { return static_cast<const TopologyDrift*>(object)->unit.where; }

}  // namespace

const ObjectType kHyperNodeType{"hyper_node", "a Volcano HyperNode", kHyperNodeFields, where_of<HyperNode>,
                                own_id<HyperNode>};
const ObjectType kHyperNodeMemberType{"hyper_node_member", "a member of a HyperNode", kMemberFields,
                                      where_of<HyperNodeMember>, member_id};
const ObjectType kLevelTopologyType{"level_topology", "a Topology of Kueue or KAI", kLevelTopologyFields,
                                    where_of<LevelTopology>, own_id<LevelTopology>};
const ObjectType kTopologyLevelType{"topology_level", "a level of such a Topology", kLevelFields,
                                    where_of<TopologyLevel>, level_id};
const ObjectType kResourceFlavorType{"resource_flavor", "a Kueue ResourceFlavor", kFlavorFields,
                                     where_of<ResourceFlavor>, own_id<ResourceFlavor>};
const ObjectType kTopologyDriftType{"topology_drift", "nodes that two descriptions of one network place differently",
                                    kDriftFields, drift_where, own_id<TopologyDrift>};

}  // namespace muster
