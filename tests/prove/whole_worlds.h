#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "model/world.h"
#include "prove/prove.h"

namespace muster {

/// A world of few nodes with everything that docs/prover.md speaks of: pools that gangs join, quotas, queues, roles,
/// memory, domains, eviction, pods that work alone.
World random_whole_world(std::mt19937& dice);
/// The same with more roles, some of which have to share a domain of one of two levels.
World random_set_world(std::mt19937& dice);

/// What is true of some gangs of it.
struct WholeTruth {
  bool placeable = true;
  bool all_or_nothing = true;
  bool no_deadlock = true;
  bool no_livelock = true;
  std::optional<bool> quota_consistent;  ///< nothing where a pool has no quota
  std::int64_t states = 0;

  std::optional<bool> of(Property property) const;
};

/// Every state that the written transition system reaches, node by node and pod by pod; nothing beyond so many of them.
std::optional<WholeTruth> try_whole_world(const World& world, const std::vector<std::size_t>& gangs,
                                          std::int64_t faults, std::size_t most);

std::string words_of(const World& world);

}  // namespace muster
