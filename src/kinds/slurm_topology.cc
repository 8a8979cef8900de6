#include "kinds/slurm_topology.h"

#include "base/strings.h"
#include "kinds/slurm_records.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// Reads the lists of a switch once its texts are in place.
void read_lists(Switch& tree_switch, std::vector<Finding>& findings) {
  tree_switch.nodes = read_hostlist(tree_switch.nodes_text, findings);
  const std::optional<Hostlist> children = read_hostlist(tree_switch.children_text, findings);
  // A list longer than any tree has switches is Slurm's problem to refuse, not ours to expand.
  constexpr std::uint64_t kMaxChildren = 65536;
  if (!children) return;
  const std::optional<std::vector<std::string>> names = children->expand(kMaxChildren);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    tree_switch.children.push_back({name, tree_switch.children_text.where, tree_switch.name.value, false, {}});
  }
}

Located<std::string> located(const ConfPair& pair, std::string_view field) {
  if (is_placeholder(pair.value)) return unknown_until<std::string>("a value for `" + pair.key + "`", pair.value_where, field);
  return set_to(pair.value, pair.value_where, field);
}

}  // namespace

void read_topology_conf(const Artifact& artifact, const std::string& path, SlurmSite& site, std::vector<Finding>& findings) {
  Topology topology;
  topology.file = path;
  topology.where = artifact.lines->front().where;
  topology.kind = Topology::Kind::Other;
  for (const ConfLine& line : *artifact.lines) {
    report_unread_rest(line, findings);
    if (line.pairs.empty()) continue;
    const std::string key = to_lower(line.pairs.front().key);
    if (key == "blockname" || key == "blocksizes") topology.kind = Topology::Kind::Block;
    if (key != "switchname") continue;
    topology.kind = Topology::Kind::Tree;
    Switch tree_switch;
    tree_switch.where = line.where;
    tree_switch.name = located(line.pairs.front(), "SwitchName");
    for (const ConfPair& pair : line.pairs) {
      if (equals_ignoring_case(pair.key, "nodes")) tree_switch.nodes_text = located(pair, "Nodes");
      if (equals_ignoring_case(pair.key, "switches")) tree_switch.children_text = located(pair, "Switches");
    }
    read_lists(tree_switch, findings);
    topology.switches.push_back(std::move(tree_switch));
  }
  analyse_switches(topology);
  site.topologies.push_back(std::move(topology));
}

void read_topology_yaml(const Artifact& artifact, const std::string& path, SlurmSite& site, std::vector<Finding>& findings) {
  const Node root = artifact.object;
  const std::size_t entries = root.is_sequence() ? root.size() : 1;
  for (std::size_t e = 0; e < entries; ++e) {
    const Node entry = root.is_sequence() ? root.item(e) : root;
    Topology topology;
    topology.yaml = true;
    topology.file = path;
    topology.name = read_text(entry["topology"], "topology", findings);
    topology.where = entry["topology"].where();
    topology.kind = entry["tree"].exists()    ? Topology::Kind::Tree
                    : entry["block"].exists() ? Topology::Kind::Block
                    : entry["flat"].exists()  ? Topology::Kind::Flat
                                              : Topology::Kind::Other;
    const Node switches = entry["tree"]["switches"];
    for (std::size_t i = 0; switches.is_sequence() && i < switches.size(); ++i) {
      const Node node = switches.item(i);
      Switch tree_switch;
      tree_switch.name = read_text(node["switch"], "switch", findings);
      tree_switch.where = node["switch"].where();
      tree_switch.yaml = true;
      tree_switch.nodes_text = read_text(node["nodes"], "nodes", findings);
      tree_switch.children_text = read_text(node["children"], "children", findings);
      read_lists(tree_switch, findings);
      topology.switches.push_back(std::move(tree_switch));
    }
    analyse_switches(topology);
    site.topologies.push_back(std::move(topology));
  }
}

}  // namespace muster
