#pragma once

#include <map>
#include <string>
#include <vector>

#include "inventory/merge_topology.h"

namespace muster {

/// Nodes of one kind of hardware under one control plane.
struct Pool {
  std::string name;
  std::vector<std::size_t> nodes;              ///< in natural order
  std::map<std::size_t, std::string> facts;    ///< by row of pool_facts()
  std::map<std::size_t, std::string> missing;  ///< the same, with what would decide it
};

/// Classes of nodes that have the same GPUs, model, memory, CPUs and control plane. What differs within a class, such
/// as the driver, is left out and named as missing.
std::vector<Pool> make_pools(const std::vector<MergedNode>& nodes, const std::vector<Dump>& dumps);

/// Sets fabric.nvlink_domain_nodes where all nodes of a pool stand in NVLink domains of one size.
void count_nvlink_domains(std::vector<Pool>& pools, const std::vector<MergedNode>& nodes,
                          const MergedTopology& topology);

/// Gives each pool a name of its own: that of a partition or node set with the same nodes, else made of the names of
/// its nodes or the model. None is a node's name, which Slurm would not take for a NodeSet.
void name_pools(std::vector<Pool>& pools, const std::vector<MergedNode>& nodes, const std::vector<Dump>& dumps);

}  // namespace muster
