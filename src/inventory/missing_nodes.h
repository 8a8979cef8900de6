#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inventory/dump.h"

namespace muster {

/// Which names are nodes, and which a dump that lists all of them does not have.
class NodeClaims {
 public:
  explicit NodeClaims(const std::vector<Dump>& dumps);

  /// Whether a name of a dump stands for a node of the fleet. A switch or a fabric may name storage servers and nodes
  /// that are gone: where a dump lists all nodes of the scheduler, its word counts.
  bool is_node(const std::string& name, std::size_t dump) const;
  /// Names of the dump's topologies, partitions and node sets.
  void each_other_name(std::size_t dump, const std::function<void(const std::string&, const Span&)>& visit) const;

  /// Nodes of one dump that another one, which lists all nodes, does not have: rule inventory-node-missing.
  void report(std::vector<Finding>& findings) const;

 private:
  struct Names {
    std::unordered_map<std::string, Span> nodes;   ///< by records
    std::unordered_map<std::string, Span> others;  ///< by topologies and groups
    std::unordered_map<std::string, Span> placed;  ///< by topologies that place all nodes
  };

  std::optional<std::size_t> first_judge(std::size_t dump) const;
  bool judges(std::size_t judge, std::size_t dump) const;
  void compare(std::size_t dump, std::size_t judge, std::vector<Finding>& findings) const;
  void compare_placed(std::size_t dump, std::vector<Finding>& findings) const;

  void report_strangers(std::size_t dump, std::vector<Finding>& findings) const;

  const std::vector<Dump>& dumps_;
  std::vector<Names> names_;                ///< by dump
  std::unordered_set<std::string> hidden_;  ///< cloud nodes: a dump may lack them while they are powered down
};

}  // namespace muster
