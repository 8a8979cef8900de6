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
  Span where;                              ///< the list it stands in
  std::string parent;                      ///< the switch whose list it is
  bool defined = false;
  bool in_use = true;                      ///< as its topology
  std::optional<std::string> near_miss;    ///< the switch it may have meant
};

/// A line of a tree topology. Source: slurm.schedmd.com/topology.conf.html.
struct Switch {
  Located<std::string> name;
  Located<std::string> nodes_text;         ///< as written
  Located<std::string> children_text;
  std::optional<Hostlist> nodes;           ///< absent when not given or not readable
  std::vector<SwitchChild> children;
  std::vector<std::string> shared_nodes;   ///< nodes that another leaf has, too; the first few
  std::int64_t shared_count = 0;
  std::optional<std::size_t> shared_with;  ///< the first such leaf
  std::vector<std::string> unknown_nodes;  ///< nodes the site does not have; the first few
  std::int64_t unknown_count = 0;
  std::vector<std::string> cycle;          ///< the switches of a cycle, where this is its first in the file
  std::optional<std::size_t> duplicate_of; ///< an earlier switch of the same name
  Span where;
  bool yaml = false;                       ///< of a topology.yaml
  std::size_t site = 0;                    ///< in Model::slurm_sites
  std::size_t topology = 0;                ///< in SlurmSite::topologies
  bool in_use = true;                      ///< as its topology
};

/// What topology.conf or one entry of topology.yaml describes.
struct Topology {
  enum class Kind { Tree, Block, Flat, Other };
  Kind kind = Kind::Tree;
  bool yaml = false;
  std::string file;
  Located<std::string> name;               ///< topology.yaml only
  std::vector<Switch> switches;
  Span where;
  std::vector<std::string> unplaced_nodes; ///< nodes of the site that no leaf has; the first few
  std::int64_t unplaced_count = 0;
  std::size_t site = 0;                    ///< in Model::slurm_sites
  bool in_use = true;                      ///< slurmctld reads it; false where slurm.conf names no plugin that does
};

template <>
struct EnumNames<Topology::Kind> {
  static constexpr std::string_view names[] = {"tree", "block", "flat", "other"};
};

/// Fills in what follows from the switches alone: which children exist, cycles, duplicates, nodes in two leaves.
void analyse_switches(Topology& topology);

/// Compares with the nodes a site has: fills unknown_nodes of each leaf and unplaced_nodes.
void compare_with_nodes(Topology& topology, const std::vector<std::string>& site_nodes);

}  // namespace muster
