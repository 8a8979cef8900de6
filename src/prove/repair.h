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

inline constexpr std::size_t kAllRepairs = static_cast<std::size_t>(-1);

/// Smallest change first; none is looked for once there are `most`, so that there may be a few more.
std::vector<Repair> repairs_of(const Instance& instance, const ProofResult& result, const ProveLimits& limits,
                               std::size_t most = kAllRepairs);

}  // namespace muster::prove
