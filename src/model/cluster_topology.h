#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/gang.h"
#include "model/object.h"

namespace muster {

/// A member of a Volcano HyperNode: nodes, or another HyperNode.
struct HyperNodeMember {
  Located<std::string> type;   ///< Node or HyperNode
  Located<std::string> exact;  ///< exactMatch.name
  Located<std::string> regex;  ///< regexMatch.pattern
  bool has_selector = false;
  std::int64_t selectors = 0;               ///< how many of exactMatch, regexMatch and labelMatch are written
  Located<bool> found;                      ///< a HyperNode of that name is in the input
  std::optional<std::size_t> child;         ///< that HyperNode, in Model::hyper_nodes
  std::optional<std::size_t> other_parent;  ///< an earlier HyperNode that has the same member
  bool unknown_node = false;                ///< no node of the fleet file, which has others that members name
  Span where;
  std::size_t hyper_node = 0;  ///< in Model::hyper_nodes
};

/// A group of nodes near each other, for Volcano. Source: topology.volcano.sh/v1alpha1.
struct HyperNode : Object {
  Located<std::int64_t> tier;
  std::vector<HyperNodeMember> members;
  std::vector<std::string> cycle;         ///< HyperNodes of a cycle, where this is its first in the input
  std::vector<std::string> shared_nodes;  ///< nodes that an earlier HyperNode of its tier names, too; the first few
  std::optional<std::size_t> shared_with;
};

/// A level of a Kueue or KAI Topology: a node label.
struct TopologyLevel {
  Located<std::string> label;
  bool last = false;
  bool repeated = false;             ///< an earlier level has the same label
  std::optional<std::string> wider;  ///< a later level that is known to be wider than this
  bool on_no_node = false;           ///< the input lists the nodes of a cluster, and none has the label
  Span where;
  std::size_t topology = 0;  ///< in Model::level_topologies
};

/// Kueue's and KAI's Topology: levels of node labels, the widest first.
struct LevelTopology : Object {
  GangSystem system = GangSystem::Kueue;
  Located<std::int64_t> level_count;
  std::vector<TopologyLevel> levels;
};

/// Kueue ResourceFlavor, as far as it says where its nodes are.
struct ResourceFlavor : Object {
  Located<std::string> topology;
  Located<bool> topology_found;
  bool has_node_labels = false;
  bool labels_known = false;  ///< each of them is written out
  std::map<std::string, std::string> node_labels;
  Located<std::string> device_toleration;  ///< key of a taint of nodes with accelerators
  bool in_queue = false;                   ///< a ClusterQueue of the input has it
  bool for_devices_alone = true;           ///< in each of them its group covers nothing but devices
};

/// Nodes that two descriptions of one network place differently.
struct TopologyDrift {
  Located<std::string> unit;       ///< where the one has them
  Located<std::string> other;      ///< where the other has them; without a name: nowhere
  std::vector<std::string> nodes;  ///< the first few
  std::int64_t count = 0;
  bool missing = false;  ///< the other does not have them at all
  std::string other_file;
  std::string id;
};

/// The HyperNode of at most that tier, the highest there is, by the names of the nodes in it. Nothing where members are
/// picked by pattern or label, or the HyperNodes contradict each other.
std::optional<std::unordered_map<std::string, std::string>> hyper_nodes_up_to(const std::vector<HyperNode>& all,
                                                                              const std::string& bundle,
                                                                              std::int64_t tier);

/// Levels known by their labels: the place of a label in its family, widest first, and the family. Nothing for others.
struct LevelRank {
  std::string_view family;
  int rank = 0;
};
std::optional<LevelRank> rank_of_level(std::string_view label);

/// Fills in what the levels of a Topology say of each other.
void analyse_levels(LevelTopology& topology, std::size_t index);

}  // namespace muster
