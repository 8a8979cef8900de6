#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fleet.h"

namespace muster {

// What Slurm's topologies need of a fleet's domains. A domain of the level called `block` is a block; all others are
// switches.

bool is_block(const TopologyDomain& domain);

/// The blocks of a fleet and the sizes that follow from them. Source of the arithmetic:
/// slurm.schedmd.com/topology.conf.html, BlockSizes.
struct BlockPlan {
  std::vector<std::size_t>
      blocks;  ///< in Fleet::domains; those of one parent stand together, as aggregated blocks must
  std::vector<std::int64_t> sizes;  ///< the smallest block first, then what whole groups of blocks have
  std::string why;                  ///< for a comment; one line
};
BlockPlan plan_blocks(const Fleet& fleet);

/// Switches, children before their parents; those of a cycle are left out.
std::vector<std::size_t> switches_bottom_up(const Fleet& fleet);
/// A switch's own nodes and those of the blocks right below it, as Slurm prints them.
std::string switch_nodes(const Fleet& fleet, const TopologyDomain& domain);
/// The switches right below it.
std::vector<std::string> switch_children(const Fleet& fleet, const TopologyDomain& domain);

/// Where there are blocks: nodes that stand in a domain, but in no block.
std::vector<std::string> nodes_in_no_block(const Fleet& fleet);

/// Names that more than one domain has, sorted.
std::vector<std::string> repeated_domains(const Fleet& fleet);

/// The domains above one, the nearest first; those of a cycle end it.
std::vector<std::size_t> domains_above(const Fleet& fleet, const TopologyDomain& domain);
/// Its own nodes and those of all domains below it, as Slurm prints them.
std::string nodes_below(const Fleet& fleet, const TopologyDomain& domain);

/// Tenants, parents before their children; those of a cycle or below nobody are left out.
std::vector<std::size_t> tenants_top_down(const Fleet& fleet);

}  // namespace muster
