#pragma once

#include <vector>

#include "prove/prove.h"

namespace muster {

/// What every world was proved to have, in their order. With `seconds` above 0 what stays open is tried again with more
/// and more states until about so many seconds have gone by: then, and only then, the answers depend on the machine.
std::vector<std::vector<ProofResult>> prove_worlds(const std::vector<World>& worlds,
                                                   const std::vector<Property>& properties, const ProveLimits& limits,
                                                   std::int64_t seconds, unsigned threads);

}  // namespace muster
