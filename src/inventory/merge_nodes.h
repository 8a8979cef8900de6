#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inventory/dump.h"

namespace muster {

/// A value of a node that was believed, and the dump that says it.
struct Believed {
  std::string value;
  Span where;
  std::size_t dump = 0;
};

/// A node with all that the dumps say of it.
struct MergedNode {
  std::string name;
  std::vector<std::optional<Believed>> facts;  ///< by row of pool_facts()
  std::vector<const OpenFact*> open;
  Span where;               ///< its first record
  std::size_t dump = 0;     ///< that record's
  bool two_planes = false;  ///< Slurm and Kubernetes both list it
};

/// Nodes of all dumps in natural order, each once. Where dumps differ, the fleet file gets what the dump of the lower
/// rank says, and that is a finding with both places. Nodes that only a topology names are there where no dump claims
/// to list all of them, and a finding else.
std::vector<MergedNode> merge_nodes(const std::vector<Dump>& dumps, std::vector<Finding>& findings);

/// n[001-016] (16 nodes), short enough for a message.
std::string show_nodes(std::vector<std::string> names);

/// a, b, c and 4 more.
std::string show_names(const std::vector<std::string>& names);

}  // namespace muster
