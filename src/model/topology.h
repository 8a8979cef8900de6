#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/hostlist.h"
#include "model/object.h"

namespace muster {

/// One name in a `Switches=` list.
struct SwitchChild {
  std::string name;
  Span where;          ///< the list it stands in
  std::string parent;  ///< the switch whose list it is
  bool defined = false;
  std::optional<std::string> near_miss;  ///< the switch it may have meant
  std::size_t site = 0;                  ///< in Model::slurm_sites
  std::size_t topology = 0;              ///< in SlurmSite::topologies
};

/// What a switch, block, ring or torus has in common: a name and nodes.
struct TopologyUnit {
  Located<std::string> name;
  Located<std::string> nodes_text;  ///< as written
  std::optional<Hostlist> nodes;    ///< absent when not given or not readable
  std::int64_t size = 0;            ///< different nodes; only those of the site where it is known which there are
  std::vector<std::string> repeated_nodes;  ///< nodes its own list names again; the first few
  std::int64_t repeated_count = 0;
  std::vector<std::string> shared_nodes;  ///< nodes that an earlier unit has, too; the first few
  std::int64_t shared_count = 0;
  std::optional<std::size_t> shared_with;  ///< the first such unit
  std::vector<std::string> unknown_nodes;  ///< nodes the site does not have; the first few
  std::int64_t unknown_count = 0;
  std::int64_t own_count = 0;               ///< nodes that no earlier unit has
  std::optional<std::size_t> duplicate_of;  ///< an earlier unit of the same name
  Span where;
  bool yaml = false;         ///< of a topology.yaml
  std::size_t site = 0;      ///< in Model::slurm_sites
  std::size_t topology = 0;  ///< in SlurmSite::topologies
};

/// A line of a tree topology. Source: slurm.schedmd.com/topology.conf.html.
struct Switch : TopologyUnit {
  Located<std::string> children_text;
  std::vector<SwitchChild> children;
  std::vector<std::string> cycle;    ///< the switches of a cycle, where this is its first in the file
  std::vector<std::size_t> parents;  ///< switches that name it as their child
};

/// A block, a ring or a torus.
struct TopologyBlock : TopologyUnit {
  bool too_long = false;  ///< a ring of more than 16 nodes
};

/// One value of BlockSizes.
struct BlockSize {
  std::string text;
  Span where;
  std::int64_t value = 0;  ///< as C's atoi reads it
};

/// Something that Slurm's reader stumbles over or passes over in silence. What follows depends on the release: the
/// rules say so. `name` is what it is about, `detail` what is wrong with it.
struct TopologyMark {
  enum class What {
    Syntax,             ///< a piece of a line that the parser cannot read
    UnknownKey,         ///< a key the plugin does not know
    RepeatedKey,        ///< the last one counts
    LinkSpeed,          ///< no number
    Hostlist,           ///< a node list that Slurm cannot read
    OpenBracket,        ///< a `[` without `]`, which old releases take for part of a name
    BlockSizes,         ///< a size that does not go with the first
    BlockName,          ///< names that aggregated blocks cannot be named after
    TooDeep,            ///< levels listed from the top down, more than slurmctld resolves
    Torus,              ///< dimensions, regions or placements that do not fit
    YamlSyntax,         ///< not YAML
    YamlEmpty,          ///< a file without a document
    YamlEmptyList,      ///< `[]`
    FieldType,          ///< a list where a text must stand, and the like
    UnknownField,       ///< a key of topology.yaml that nobody reads
    TypeMissing,        ///< neither tree nor block nor another type
    TypesConflict,      ///< two types in one topology
    SecondDefault,      ///< another topology is the default already
    NoDefault,          ///< several topologies, and none is the default
    SameName,           ///< two topologies of one name
    Plugin,             ///< TopologyPlugin names one that the release does not have
    ConfMissing,        ///< TopologyPlugin wants a topology.conf that is not there
    Param,              ///< a word of TopologyParam that nobody reads
    SelectLinear,       ///< select/linear with a tree
    PartitionTopology,  ///< Topology= of a partition that is not defined
    NodeTopology,       ///< Topology= of a node that is not defined
    EarlyKey,           ///< Topology= before the release that knows it
    PartitionSpan,      ///< a partition over several trees
  };
  What what = What::Syntax;
  Located<std::string> name;
  std::string detail;
  std::optional<std::string> near_miss;
  std::int64_t count = 0;
  std::int64_t limit = 0;
  Located<std::string> other;  ///< the place it contradicts, if there is one
  std::string since;           ///< releases in which it is so; empty: no bound
  std::string until;
  Located<bool> settled = set_to(true, {});  ///< unknown while a file is not here that could say otherwise
  bool yaml = false;
  std::size_t site = 0;
  std::optional<std::size_t> topology;  ///< none: of slurm.conf
};

template <>
struct EnumNames<TopologyMark::What> {
  static constexpr std::string_view names[] = {
      "syntax",        "unknown-key",    "repeated-key",    "link-speed",    "hostlist",
      "open-bracket",  "block-sizes",    "block-name",      "too-deep",      "torus",
      "yaml-syntax",   "yaml-empty",     "yaml-empty-list", "field-type",    "unknown-field",
      "type-missing",  "types-conflict", "second-default",  "no-default",    "same-name",
      "plugin",        "conf-missing",   "param",           "select-linear", "partition-topology",
      "node-topology", "early-key",      "partition-span"};
};

/// What topology.conf or one entry of topology.yaml describes.
struct Topology {
  enum class Kind { Tree, Block, Ring, Torus, Flat, Other };
  Kind kind = Kind::Tree;
  bool yaml = false;
  std::string file;
  Located<std::string> name;  ///< topology.yaml only
  std::vector<Switch> switches;
  std::vector<TopologyBlock> blocks;  ///< of a block, ring or torus topology
  std::vector<BlockSize> block_sizes;
  Span block_sizes_where;
  std::int64_t base_size = 0;  ///< nodes of a base block: the first of BlockSizes, else of the first block with nodes
  std::vector<std::string> unused_sizes;  ///< levels above the one that already takes all blocks
  Span where;
  std::vector<std::string> roots;  ///< switches without parent, with their nodes; the first few
  std::int64_t root_count = 0;     ///< of them that have nodes
  std::int64_t largest_root = 0;   ///< nodes of the largest
  std::int64_t placed_count = 0;   ///< nodes of all units
  bool has_cycle = false;
  std::vector<std::string> unplaced_nodes;  ///< nodes of the site that no unit has; the first few
  std::int64_t unplaced_count = 0;
  std::size_t site = 0;         ///< in Model::slurm_sites
  bool is_default = false;      ///< the first with cluster_default: true
  bool plugin_reads_it = true;  ///< false where slurm.conf names no plugin that reads topology.conf
  bool shadowed = false;        ///< a topology.yaml stands beside this topology.conf
  std::string missing_include;  ///< a file that it includes and that is not in the input
};

template <>
struct EnumNames<Topology::Kind> {
  static constexpr std::string_view names[] = {"tree", "block", "ring", "torus3d", "flat", "other"};
};

/// Fills in what follows from the units: which children exist, cycles, roots, duplicates, nodes in two units, block
/// sizes. `site_nodes` (sorted) are the nodes of slurm.conf, null where they are not known. What slurmctld would
/// stumble over and no field tells becomes a mark.
void analyse_topology(Topology& topology, const std::vector<std::string>* site_nodes, std::vector<TopologyMark>& marks);

// Its parts.
void analyse_switches(Topology& topology, std::vector<TopologyMark>& marks);
void analyse_blocks(Topology& topology, std::vector<TopologyMark>& marks);

/// The root of the tree each leaf stands under, by index into `switches`; of several the first.
std::vector<std::size_t> roots_of_switches(const Topology& topology);

/// A mark of a topology; the caller adds bounds and the place it contradicts.
TopologyMark topology_mark(const Topology& topology, TopologyMark::What what, Located<std::string> name,
                           std::string detail);

}  // namespace muster
