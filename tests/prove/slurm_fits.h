#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/world.h"

namespace muster::test {

struct PlacedPod {
  std::size_t gang = 0;  ///< in World::gangs
  std::size_t role = 0;
  std::int64_t node = 0;  ///< of the only pool
};

/// Its domain of a level; empty: none.
std::string domain_at(const World& world, std::int64_t node, const std::string& level);
bool has_labels(const World& world, std::int64_t node, const WorldRole& role);

/// Accelerators left on each node.
std::vector<std::int64_t> free_gpus(const World& world, const std::vector<PlacedPod>& pods);

/// Whether Slurm could start the job on what is free: as many nodes as it guarantees, all in one domain if it asks for
/// that. Every choice of nodes is tried; of components each takes the first nodes that do, and leaves them to nobody.
bool fits_now(const World& world, const WorldGang& gang, const std::vector<std::int64_t>& free);

}  // namespace muster::test
