#pragma once

#include <cstdint>
#include <string>

#include "prove/prove.h"

namespace muster {

/// Checks what a proof rests on by the world alone. Empty: it stands; else what is wrong with it.
std::string check_proof(const World& world, const ProofResult& result, std::int64_t faults);

}  // namespace muster
