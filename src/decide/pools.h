#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace muster {

/// The plane that schedules a pool; empty while the file does not say.
std::string plane_of(const NodePool& pool);

/// The most nodes that a pool can have: those that it has, or may grow to. Nothing while it grows and nobody says how
/// far, or where its nodes are not known.
std::optional<std::int64_t> most_nodes(const NodePool& pool);

/// The pools of the one fleet of the input, read once; the model has to outlive them. There are none without a fleet
/// file, or with several.
class FleetPools {
 public:
  struct Pool {
    const NodePool* pool = nullptr;
    std::string plane;
    std::optional<std::int64_t> gpus;  ///< of a node
    std::optional<std::int64_t> most;  ///< nodes
  };

  explicit FleetPools(const Model& model);

  std::span<const Pool> all() const { return all_; }

  /// The pool that a workload names.
  const Pool* named_by(const Workload& workload) const;

  /// The pools that a workload can run in: the one that it names, else those of its plane (any while that is empty)
  /// with enough nodes of enough GPUs. Where none is large enough, those of its plane all the same: `check` says so.
  std::vector<const NodePool*> holding(const Workload& workload, std::string_view plane) const;

 private:
  std::vector<Pool> all_;
  std::map<std::string_view, std::size_t> by_name_;
};

}  // namespace muster
