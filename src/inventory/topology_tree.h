#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inventory/merge_topology.h"

namespace muster {

/// Domains with a place for each node; names are looked up, not walked.
struct TopologyTree {
  std::vector<MergedDomain> domains;
  std::unordered_map<std::string, std::size_t> by_name;
  std::unordered_map<std::string, std::size_t> place;  ///< of nodes, in domains
  std::vector<std::string> levels;
};

/// One dump's topology by itself, of the nodes in `known` alone. A node in two of its domains is a finding.
TopologyTree tree_of(const TopologyRecord& record, const std::unordered_set<std::string>& known,
                     std::vector<Finding>& findings);

/// Joins a second description into the first, which is believed. Descriptions of different nodes stand side by side; of
/// the same nodes they have to put the same ones together, whatever they call the switches.
void absorb(TopologyTree& base, TopologyTree other, std::vector<std::string>& notes, std::vector<Finding>& findings);

/// Cuts cycles, drops domains with nothing below them and names the levels that have no name after their height.
void tidy(TopologyTree& tree, std::vector<std::string>& notes);

}  // namespace muster
