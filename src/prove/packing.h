#pragma once

#include <cstdint>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

enum class Packed { Fits, DoesNotFit, Unknown };

/// Where the pods stand, as a certificate says it.
using Fills = std::vector<ProofCertificate::Fill>;

/// Whether all pods of these gangs find a place at the same time on the empty nodes. Exact within the budget. Where
/// they do, `where` gets that placement as another set.
Packed pack(const Instance& instance, const std::vector<std::size_t>& gangs, std::int64_t budget,
            Fills* where = nullptr);

}  // namespace muster::prove
