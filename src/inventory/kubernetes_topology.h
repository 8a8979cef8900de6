#pragma once

#include <map>
#include <string>
#include <vector>

#include "inventory/readers.h"

namespace muster {

/// What the labels of nodes say of switches and NVLink domains.
class LabelTopology {
 public:
  void add(const Node& labels, const std::string& node, const std::vector<LabelLevels>& kueue);
  /// Adds the topologies to the dump of the nodes.
  void finish(Dump& dump);

 private:
  struct Domain {
    std::string level;
    std::string value;
    std::size_t rank = 0;  ///< of the level; the widest has the lowest
    std::string parent;    ///< key of another one
    Span where;
    std::vector<std::string> nodes;
  };
  std::string place(const std::string& level, std::size_t rank, const Node& value, const std::string& parent);

  std::map<std::string, Domain> domains_;  ///< by level and value
  std::map<std::string, Domain> accelerators_;
  std::map<std::pair<std::size_t, std::string>, int> levels_;  ///< rank and name
  Span where_;
};

/// a, b, c ... of a list that may be long.
std::string show_some(const std::vector<std::string>& words);

}  // namespace muster
