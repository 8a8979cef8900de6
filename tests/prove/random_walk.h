#pragma once

#include <random>

#include "prove/node_worlds.h"

namespace muster {

/// What so many random adversaries did not break, in a world with gangs of one role. Each of them wants every gang to
/// hold some number of its pods, takes gangs and nodes as the dice fall, and now and then lets one finish or give up.
/// Shares nothing with the prover.
NodeTruth walk_at_random(const World& world, std::mt19937& dice, int adversaries);

}  // namespace muster
