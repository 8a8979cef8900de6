#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/slurm.h"

namespace muster {

/// A site's nodes in the order of slurmctld's table: by name, numbers as numbers. All of them have to be known.
/// Source: SchedMD/slurm:src/slurmctld/read_config.c, _reorder_nodes_by_name.
class NodeTable {
 public:
  using Nodes = std::vector<std::uint32_t>;  ///< places in the table, ascending

  explicit NodeTable(const SlurmSite& site);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::uint32_t place) const { return *names_[place]; }
  /// The nodes of a partition; nothing where its list names what is no node or a set of nodes.
  const std::optional<Nodes>& of(std::size_t partition);
  /// Whether the nodes are alike, so that only their order decides which of them a job is given.
  bool alike(const Nodes& nodes) const;
  /// Whether jobs may be given nodes of this line as it is configured.
  static bool can_run(const SlurmNodes& line);

 private:
  std::optional<Nodes> resolve(const Located<std::string>& text) const;
  bool add(const std::string& text, Nodes& nodes, int depth) const;

  const SlurmSite& site_;
  std::vector<const std::string*> names_;
  std::map<std::string, std::uint32_t, std::less<>> by_name_;
  std::map<std::size_t, std::optional<Nodes>> cache_;
};

}  // namespace muster
