#include "slurm/topology_grammar.h"

#include <algorithm>

namespace muster {
namespace {

using Place = TopologyKey::Place;

constexpr TopologyPlugin kPlugins[] = {
    {"topology/3d_torus", {"", "25.05"}, false, Topology::Kind::Other},
    {"topology/block", {"23.11", ""}, true, Topology::Kind::Block},
    {"topology/default", {"23.11", ""}, false, Topology::Kind::Flat},
    {"topology/flat", {"25.05", ""}, false, Topology::Kind::Flat},
    {"topology/hypercube", {"", "23.11"}, true, Topology::Kind::Other},
    {"topology/none", {"", ""}, false, Topology::Kind::Flat},
    {"topology/ring", {"26.05", ""}, true, Topology::Kind::Ring},
    {"topology/torus3d", {"26.05", ""}, false, Topology::Kind::Torus},
    {"topology/tree", {"", ""}, true, Topology::Kind::Tree},
};

constexpr TopologyKey kKeys[] = {
    {"switchname", "SwitchName", Topology::Kind::Tree, Place::Record},
    {"linkspeed", "LinkSpeed", Topology::Kind::Tree, Place::InRecord},
    {"nodes", "Nodes", Topology::Kind::Tree, Place::InRecord},
    {"switches", "Switches", Topology::Kind::Tree, Place::InRecord},
    {"blockname", "BlockName", Topology::Kind::Block, Place::Record},
    {"nodes", "Nodes", Topology::Kind::Block, Place::InRecord},
    {"blocksizes", "BlockSizes", Topology::Kind::Block, Place::Global, {"24.05", ""}},
    {"blocklevels", "BlockLevels", Topology::Kind::Block, Place::Global, {"", "24.05"}},
    {"ringname", "RingName", Topology::Kind::Ring, Place::Record},
    {"nodes", "Nodes", Topology::Kind::Ring, Place::InRecord},
};

constexpr Releases kSinceRing{"26.05", ""};
constexpr TopologyField kFields[] = {
    {"", "topology"},
    {"", "cluster_default"},
    {"", "tree"},
    {"", "block"},
    {"", "flat"},
    {"", "ring", kSinceRing},
    {"", "torus3d", kSinceRing},
    {"tree", "switches"},
    {"tree.switches", "switch"},
    {"tree.switches", "children"},
    {"tree.switches", "nodes"},
    {"block", "block_sizes"},
    {"block", "blocks"},
    {"block.blocks", "block"},
    {"block.blocks", "nodes"},
    {"flat", "alpha_step_rank"},
    {"ring", "rings"},
    {"ring.rings", "ring"},
    {"ring.rings", "nodes"},
    {"torus3d", "toruses"},
    {"torus3d.toruses", "name"},
    {"torus3d.toruses", "dims"},
    {"torus3d.toruses", "nodes"},
    {"torus3d.toruses", "regions"},
    {"torus3d.toruses", "placements"},
    {"torus3d.toruses.regions", "anchor"},
    {"torus3d.toruses.regions", "dims"},
    {"torus3d.toruses.regions", "nodes"},
    {"torus3d.toruses.placements", "dims"},
    {"torus3d.toruses.placements", "anchor_seed"},
    {"torus3d.toruses.placements", "anchor_spacing"},
};

constexpr TopologyParam kParams[] = {
    {"blockasnoderank", "BlockAsNodeRank", {"25.11", ""}},
    {"dragonfly", "Dragonfly"},
    {"routepart", "RoutePart", {"23.11", ""}},
    {"routetree", "RouteTree", {"23.11", ""}},
    {"switchasnoderank", "SwitchAsNodeRank", {"23.11", ""}},
    {"topomaxsizeunroll=", "TopoMaxSizeUnroll", {"24.11", ""}},
    {"topooptional", "TopoOptional"},
};

static_assert(std::ranges::is_sorted(kPlugins, {}, &TopologyPlugin::name), "keep kPlugins sorted");

}  // namespace

std::span<const TopologyPlugin> topology_plugins() { return kPlugins; }

const TopologyPlugin* find_topology_plugin(std::string_view name) {
  const auto found = std::ranges::find(kPlugins, name, &TopologyPlugin::name);
  return found == std::end(kPlugins) ? nullptr : &*found;
}

std::span<const TopologyKey> topology_keys() { return kKeys; }

const TopologyKey* find_topology_key(Topology::Kind kind, TopologyKey::Place place, std::string_view lower) {
  const auto found = std::ranges::find_if(
      kKeys, [&](const TopologyKey& key) { return key.kind == kind && key.place == place && key.lower == lower; });
  return found == std::end(kKeys) ? nullptr : &*found;
}

std::span<const TopologyField> topology_fields() { return kFields; }
std::span<const TopologyParam> topology_params() { return kParams; }

}  // namespace muster
