#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kSwitchObject = object_of(kSwitchType);
constexpr Type kSwitchList = list_of(kSwitchObject);
constexpr Type kBlockObject = object_of(kTopologyBlockType);
constexpr Type kTopologyObject = object_of(kTopologyType);
constexpr Type kKindType = enum_type<Topology::Kind>();
constexpr Type kWhatType = enum_type<TopologyMark::What>();
constexpr Type kUnreadType = enum_type<Unread>();

const Version* slurm_release(const ReadContext& context) {
  const auto found = context.targets->find(std::string_view("slurm"));
  return found == context.targets->end() ? nullptr : &found->second;
}

const SlurmSite& site_at(std::size_t site, const ReadContext& context) { return context.model->slurm_sites[site]; }

/// The topology of a switch, a child or a block.
template <class T>
const Topology& topology_of(const T& part, const ReadContext& context) {
  return site_at(part.site, context).topologies[part.topology];
}
template <class T>
Value topology_object(const void* object, const ReadContext& context) {
  return Value::object(&kTopologyType, &topology_of(*static_cast<const T*>(object), context));
}
template <class T>
Value is_in_use(const void* object, const ReadContext& context) {
  return Value::of(unread_reason(topology_of(*static_cast<const T*>(object), context), slurm_release(context)) ==
                   Unread::No);
}

/// What the whole file says; unknown while a file that it includes is not here.
Value need_include(const Topology& topology, const ReadContext& context) {
  return Value::unknown(context.arena->make(UnknownNeed{
      context.arena->copy("`" + topology.missing_include + "`, which " + topology.file + " includes"), nullptr}));
}
template <auto member>
Value of_whole(const void* object, const ReadContext& context) {
  const auto& topology = *static_cast<const Topology*>(object);
  return topology.missing_include.empty() ? to_value(topology.*member, context) : need_include(topology, context);
}
Value child_defined(const void* object, const ReadContext& context) {
  const auto& child = *static_cast<const SwitchChild*>(object);
  const Topology& topology = topology_of(child, context);
  return child.defined || topology.missing_include.empty() ? Value::of(child.defined) : need_include(topology, context);
}
Value has_block_sizes(const void* object, const ReadContext& context) {
  const auto& topology = *static_cast<const Topology*>(object);
  const bool written = !topology.block_sizes.empty();
  return written || topology.missing_include.empty() ? Value::of(written) : need_include(topology, context);
}

Value topology_in_use(const void* object, const ReadContext& context) {
  return Value::of(unread_reason(*static_cast<const Topology*>(object), slurm_release(context)) == Unread::No);
}
Value topology_unread(const void* object, const ReadContext& context) {
  return to_value(unread_reason(*static_cast<const Topology*>(object), slurm_release(context)), context);
}
Value unit_count(const void* object, const ReadContext& context) {
  const auto& topology = *static_cast<const Topology*>(object);
  const auto units = static_cast<std::int64_t>(topology.switches.size() + topology.blocks.size());
  return units == 0 && !topology.missing_include.empty() ? need_include(topology, context) : Value::of(units);
}

const Switch& other_unit(const Topology& topology, const Switch&, std::size_t index) {
  return topology.switches[index];
}
const TopologyBlock& other_unit(const Topology& topology, const TopologyBlock&, std::size_t index) {
  return topology.blocks[index];
}

template <class T, auto member, const ObjectType& type>
Value other(const void* object, const ReadContext& context) {
  const auto& unit = *static_cast<const T*>(object);
  const std::optional<std::size_t> index = unit.*member;
  if (!index) return Value::absent();
  return Value::object(&type, &other_unit(topology_of(unit, context), unit, *index));
}

/// The switches that name it as their child.
Value parents(const void* object, const ReadContext& context) {
  const auto& tree_switch = *static_cast<const Switch*>(object);
  const std::span<Value> values = context.arena->make_array<Value>(tree_switch.parents.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Value::object(&kSwitchType, &topology_of(tree_switch, context).switches[tree_switch.parents[i]]);
  }
  return Value::of(context.arena->make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                  return static_cast<const Value*>(base)[i];
                                                }}));
}

template <class T>
Value has_nodes(const void* object, const ReadContext&) {
  return Value::of(static_cast<const T*>(object)->nodes_text.state != State::Absent);
}
Value has_children(const void* object, const ReadContext&) {
  return Value::of(static_cast<const Switch*>(object)->children_text.state != State::Absent);
}

Value mark_in_use(const void* object, const ReadContext& context) {
  const auto& mark = *static_cast<const TopologyMark*>(object);
  const std::optional<bool> holds = holds_in(mark, site_at(mark.site, context), slurm_release(context));
  if (holds) return Value::of(*holds);
  return Value::unknown(context.arena->make(UnknownNeed{"the version of slurm", nullptr}));
}

constexpr std::array kTopologyFields{
    Field{"base_size", kIntType, kAlways,
          "nodes of a base block: the first of BlockSizes, else of the first block with nodes",
          of_whole<&Topology::base_size>},
    Field{"has_block_sizes", kBoolType, kAlways, "BlockSizes is written", has_block_sizes},
    Field{"in_use", kBoolType, kAlways, "slurmctld reads the file", topology_in_use},
    Field{"kind", kKindType, kAlways, "tree, block, ring, torus3d, flat or other", read<Topology, &Topology::kind>},
    Field{"largest_root", kIntType, kAlways, "nodes below the top switch that has most",
          read<Topology, &Topology::largest_root>},
    Field{"name", kStringType, kOptional, "its name in topology.yaml", read<Topology, &Topology::name>},
    Field{"placed_count", kIntType, kAlways, "nodes that it places", read<Topology, &Topology::placed_count>},
    Field{"root_count", kIntType, kAlways, "top switches with nodes below them", read<Topology, &Topology::root_count>},
    Field{"roots", kStringListType, kAlways, "the first few of them", read<Topology, &Topology::roots>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<Topology>},
    Field{"unit_count", kIntType, kAlways, "its switches, blocks, rings or toruses", unit_count},
    Field{"unplaced_count", kIntType, kAlways, "nodes of the site that no unit has",
          of_whole<&Topology::unplaced_count>},
    Field{"unplaced_nodes", kStringListType, kAlways, "the first few of them", of_whole<&Topology::unplaced_nodes>},
    Field{"unread", kUnreadType, kAlways, "why slurmctld does not read the file; no: it does", topology_unread},
    Field{"unused_sizes", kStringListType, kAlways, "BlockSizes above one that takes all blocks already",
          of_whole<&Topology::unused_sizes>},
    Field{"yaml", kBoolType, kAlways, "of a topology.yaml", read<Topology, &Topology::yaml>},
};
constexpr std::array kSwitchFields{
    Field{"children_text", kStringType, kOptional, "Switches= as written", read<Switch, &Switch::children_text>},
    Field{"cycle", kStringListType, kAlways, "the switches of a cycle, where this is its first in the file",
          read<Switch, &Switch::cycle>},
    Field{"duplicate_of", kSwitchObject, kOptional, "an earlier switch of the same name",
          other<Switch, &Switch::duplicate_of, kSwitchType>},
    Field{"has_children", kBoolType, kAlways, "Switches= is written", has_children},
    Field{"has_nodes", kBoolType, kAlways, "Nodes= is written", has_nodes<Switch>},
    Field{"in_use", kBoolType, kAlways, "slurmctld reads the file it stands in", is_in_use<Switch>},
    Field{"name", kStringType, kAlways, "SwitchName", read<Switch, &Switch::name>},
    Field{"nodes_text", kStringType, kOptional, "Nodes= as written", read<Switch, &Switch::nodes_text>},
    Field{"parents", kSwitchList, kAlways, "switches that name it as their child", parents},
    Field{"repeated_count", kIntType, kAlways, "nodes that its own list names again",
          read<Switch, &Switch::repeated_count>},
    Field{"repeated_nodes", kStringListType, kAlways, "the first few of them", read<Switch, &Switch::repeated_nodes>},
    Field{"shared_count", kIntType, kAlways, "nodes that an earlier leaf has, too",
          read<Switch, &Switch::shared_count>},
    Field{"shared_nodes", kStringListType, kAlways, "the first few of them", read<Switch, &Switch::shared_nodes>},
    Field{"shared_with", kSwitchObject, kOptional, "the first such leaf",
          other<Switch, &Switch::shared_with, kSwitchType>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<Switch>},
    Field{"topology", kTopologyObject, kAlways, "the topology it belongs to", topology_object<Switch>},
    Field{"unknown_count", kIntType, kAlways, "nodes the site does not have", read<Switch, &Switch::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them", read<Switch, &Switch::unknown_nodes>},
    Field{"yaml", kBoolType, kAlways, "of a topology.yaml", read<Switch, &Switch::yaml>},
};
constexpr std::array kBlockFields{
    Field{"duplicate_of", kBlockObject, kOptional, "an earlier one of the same name",
          other<TopologyBlock, &TopologyBlock::duplicate_of, kTopologyBlockType>},
    Field{"has_nodes", kBoolType, kAlways, "Nodes= is written", has_nodes<TopologyBlock>},
    Field{"in_use", kBoolType, kAlways, "slurmctld reads the file it stands in", is_in_use<TopologyBlock>},
    Field{"name", kStringType, kAlways, "BlockName, RingName or the name of the torus",
          read<TopologyBlock, &TopologyBlock::name>},
    Field{"nodes_text", kStringType, kOptional, "Nodes= as written", read<TopologyBlock, &TopologyBlock::nodes_text>},
    Field{"repeated_count", kIntType, kAlways, "nodes that its own list names again",
          read<TopologyBlock, &TopologyBlock::repeated_count>},
    Field{"repeated_nodes", kStringListType, kAlways, "the first few of them",
          read<TopologyBlock, &TopologyBlock::repeated_nodes>},
    Field{"shared_count", kIntType, kAlways, "nodes that an earlier one has, too",
          read<TopologyBlock, &TopologyBlock::shared_count>},
    Field{"shared_nodes", kStringListType, kAlways, "the first few of them",
          read<TopologyBlock, &TopologyBlock::shared_nodes>},
    Field{"shared_with", kBlockObject, kOptional, "the first such",
          other<TopologyBlock, &TopologyBlock::shared_with, kTopologyBlockType>},
    Field{"size", kIntType, kAlways, "its different nodes that slurm.conf has",
          read<TopologyBlock, &TopologyBlock::size>},
    Field{"too_long", kBoolType, kAlways, "a ring of more than 16 nodes",
          read<TopologyBlock, &TopologyBlock::too_long>},
    Field{"topology", kTopologyObject, kAlways, "the topology it belongs to", topology_object<TopologyBlock>},
    Field{"unknown_count", kIntType, kAlways, "nodes the site does not have",
          read<TopologyBlock, &TopologyBlock::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them",
          read<TopologyBlock, &TopologyBlock::unknown_nodes>},
    Field{"yaml", kBoolType, kAlways, "of a topology.yaml", read<TopologyBlock, &TopologyBlock::yaml>},
};
constexpr std::array kChildFields{
    Field{"defined", kBoolType, kAlways, "a switch of that name exists", child_defined},
    Field{"in_use", kBoolType, kAlways, "slurmctld reads the file it stands in", is_in_use<SwitchChild>},
    Field{"name", kStringType, kAlways, "the name in the list", read<SwitchChild, &SwitchChild::name>},
    Field{"near_miss", kStringType, kOptional, "the switch it may have meant",
          read<SwitchChild, &SwitchChild::near_miss>},
    Field{"parent", kStringType, kAlways, "the switch whose list it is", read<SwitchChild, &SwitchChild::parent>},
};
constexpr std::array kMarkFields{
    Field{"count", kIntType, kAlways, "how many, where it is about a number", read<TopologyMark, &TopologyMark::count>},
    Field{"detail", kStringType, kAlways, "what is wrong, in words", read<TopologyMark, &TopologyMark::detail>},
    Field{"in_use", kBoolType, kAlways, "slurmctld reads the file, and its release is one in which this is so",
          mark_in_use},
    Field{"limit", kIntType, kAlways, "how many there may be", read<TopologyMark, &TopologyMark::limit>},
    Field{"name", kStringType, kAlways, "what it is about: a key, a switch, a topology",
          read<TopologyMark, &TopologyMark::name>},
    Field{"near_miss", kStringType, kOptional, "what may have been meant",
          read<TopologyMark, &TopologyMark::near_miss>},
    Field{"other", kStringType, kOptional, "what it contradicts", read<TopologyMark, &TopologyMark::other>},
    Field{"settled", kBoolType, kAlways, "no file that is not here could say otherwise",
          read<TopologyMark, &TopologyMark::settled>},
    Field{"what", kWhatType, kAlways, "what it is", read<TopologyMark, &TopologyMark::what>},
    Field{"yaml", kBoolType, kAlways, "of a topology.yaml", read<TopologyMark, &TopologyMark::yaml>},
};

SharedText topology_id(const void* object, const ReadContext&) {
  const auto& topology = *static_cast<const Topology*>(object);
  return topology.file + (topology.name.value.empty() ? "" : "/" + topology.name.value);
}
SharedText switch_id(const void* object, const ReadContext& context) {
  const auto& tree_switch = *static_cast<const Switch*>(object);
  return topology_of(tree_switch, context).file + "/SwitchName/" + tree_switch.name.value;
}
SharedText block_id(const void* object, const ReadContext& context) {
  const auto& block = *static_cast<const TopologyBlock*>(object);
  return topology_of(block, context).file + "/" + std::string(name_of(topology_of(block, context).kind)) + "/" +
         block.name.value;
}
SharedText child_id(const void* object, const ReadContext&) {
  const auto& child = *static_cast<const SwitchChild*>(object);
  return "SwitchName/" + child.parent + "/" + child.name;
}
SharedText mark_id(const void* object, const ReadContext& context) {
  const auto& mark = *static_cast<const TopologyMark*>(object);
  const SlurmSite& site = site_at(mark.site, context);
  return (mark.topology ? site.topologies[*mark.topology].file : site.file) + "/" + mark.name.value;
}
Span mark_where(const void* object) { return static_cast<const TopologyMark*>(object)->name.where; }

}  // namespace

const ObjectType kTopologyType{"topology", "topology.conf, or an entry of topology.yaml", kTopologyFields,
                               where_of<Topology>, topology_id};
const ObjectType kSwitchType{"switch", "a switch of a tree topology", kSwitchFields, where_of<Switch>, switch_id};
const ObjectType kSwitchChildType{"switch_child", "a name in a switch's list", kChildFields, where_of<SwitchChild>,
                                  child_id};
const ObjectType kTopologyBlockType{"topology_block", "a block, a ring or a torus", kBlockFields,
                                    where_of<TopologyBlock>, block_id};
const ObjectType kTopologyMarkType{"topology_mark", "what Slurm's reader of topologies stumbles over or passes over",
                                   kMarkFields, mark_where, mark_id};

}  // namespace muster
