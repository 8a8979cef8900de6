#pragma once

#include <string>
#include <vector>

#include "input/kind.h"
#include "model/slurm.h"
#include "slurm/topology_grammar.h"

namespace muster {

/// The lines of a topology.conf with those of the files that it includes in their places.
struct TopologyConfLines {
  std::string path;
  FileId file = FileId::None;
  std::vector<const ConfLine*> lines;
  std::string missing_include;  ///< a file that it includes and that is not in the input
};

/// topology.conf: one topology, read by the grammar of the plugin that slurm.conf names; where it names none, of the
/// one that the file's first record belongs to. Source: slurm.schedmd.com/topology.conf.html.
void read_topology_conf(const TopologyConfLines& conf, SlurmSite& site);

/// topology.yaml: each entry a topology; keys are case-sensitive. Source: slurm.schedmd.com/topology.yaml.html.
void read_topology_yaml(const Artifact& artifact, const std::string& path, SlurmSite& site);

/// What slurm.conf itself says of topologies, once they are read: the plugin, TopologyParam, Topology= of partitions
/// and nodes.
void check_topology_settings(SlurmSite& site, bool made_elsewhere);

/// Reads the node list of a unit, or the children of a switch; what a release cannot read becomes a mark.
std::optional<Hostlist> read_topology_list(const Located<std::string>& text, bool children, const Topology& topology,
                                           std::vector<TopologyMark>& marks);
void add_children(Switch& parent, const std::optional<Hostlist>& names);

/// A number as C's atoi reads it: digits after blanks and a sign, whatever follows; 0 where there are none.
std::int64_t atoi_value(std::string_view text);

}  // namespace muster
