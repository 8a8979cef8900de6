#pragma once

#include <span>
#include <string_view>

#include "model/topology.h"

namespace muster {

/// A range of releases: from `since` until before `until`; empty: no bound.
struct Releases {
  std::string_view since;
  std::string_view until;
};

/// What TopologyPlugin may name. Source: SchedMD/slurm:src/plugins/topology at slurm-22-05 to slurm-26-05.
struct TopologyPlugin {
  std::string_view name;
  Releases releases;
  bool reads_conf;  ///< it opens topology.conf
  Topology::Kind kind;
};
std::span<const TopologyPlugin> topology_plugins();
const TopologyPlugin* find_topology_plugin(std::string_view name);

/// A key of topology.conf. Source: topology.conf(5) and the parsers of src/plugins/topology, 22.05 to 26.05.
struct TopologyKey {
  std::string_view lower;
  std::string_view name;  ///< as the manual writes it
  Topology::Kind kind;
  enum class Place {
    Record,
    Global,
    InRecord
  } place;  ///< begins a line of pairs, stands alone, or behind a record's name
  Releases releases = {};
};
std::span<const TopologyKey> topology_keys();
/// Null when the plugin has no such key at such a place in any release.
const TopologyKey* find_topology_key(Topology::Kind kind, TopologyKey::Place place, std::string_view lower);

/// A key of topology.yaml; keys are case-sensitive. Source: topology.yaml(5), 25.05 to 26.05.
struct TopologyField {
  std::string_view level;  ///< path without list numbers: tree.switches
  std::string_view name;
  Releases releases = {};
};
std::span<const TopologyField> topology_fields();

/// A word of TopologyParam. Source: slurm.conf(5), 22.05 to 26.05.
struct TopologyParam {
  std::string_view lower;  ///< `topomaxsizeunroll=` takes a value
  std::string_view name;
  Releases releases = {};
};
std::span<const TopologyParam> topology_params();

}  // namespace muster
