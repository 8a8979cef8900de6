#pragma once

#include <string>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

/// Changes that mend a counterexample, in words, smallest first; each was proved to by the same engines.
std::vector<std::string> repairs_of(const Instance& instance, const ProofResult& result, const ProveLimits& limits);

}  // namespace muster::prove
