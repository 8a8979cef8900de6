#pragma once

#include <string>
#include <vector>

#include "inventory/merge_nodes.h"

namespace muster {

/// A domain of the fleet file.
struct MergedDomain {
  std::string name;
  std::string level;
  std::string parent;
  std::vector<std::string> nodes;  ///< in natural order
  std::string note;
  Span where;
};

/// The one topology of the fleet: a tree of switches, blocks, or blocks below the leaves of a tree.
struct MergedTopology {
  std::vector<std::string> levels;  ///< widest first
  std::vector<MergedDomain> domains;
  std::vector<std::string> notes;
  std::vector<std::string> nvlink;  ///< blocks that are NVLink domains
};

/// Joins what the dumps say of switches and blocks. Contradictions are findings with both places; domains without nodes
/// are left out.
MergedTopology merge_topology(const std::vector<Dump>& dumps, const std::vector<MergedNode>& nodes,
                              std::vector<Finding>& findings);

}  // namespace muster
