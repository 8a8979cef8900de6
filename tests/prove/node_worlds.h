#pragma once

#include <cstdint>
#include <random>

#include "model/world.h"
#include "prove/prove.h"

namespace muster {

/// How large a random world may get.
struct NodeWorldSize {
  int nodes = 3;  ///< at most
  int gpus = 4;   ///< of a node, at most
  int gangs = 3;
  int pods = 3;  ///< of a gang
};

/// Unequal nodes in two leaves, gangs of one role with pods of two sizes, some bound to one leaf, every mechanism.
World random_world(std::mt19937& dice, const NodeWorldSize& size);

/// What is true of a small world with gangs of one role, by trying every placement of single pods on single nodes,
/// every completion and every release. Shares nothing with the prover. Nothing where there are more than `most` states.
struct NodeTruth {
  bool all_or_nothing = true;
  bool no_deadlock = true;
  bool no_livelock = true;
  std::int64_t states = 0;
};
std::optional<NodeTruth> try_every_node(const World& world, std::int64_t most);

}  // namespace muster
