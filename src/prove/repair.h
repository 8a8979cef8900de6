#pragma once

#include <string>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

/// A change that mends a counterexample; it was proved to by the same engines.
struct Repair {
  std::string words;
  World world;  ///< as it is then
};

/// Smallest change first.
std::vector<Repair> repairs_of(const Instance& instance, const ProofResult& result, const ProveLimits& limits);

}  // namespace muster::prove
