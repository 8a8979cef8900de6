#pragma once

#include <cstdint>
#include <vector>

#include "prove/instance.h"

namespace muster::prove {

enum class Packed { Fits, DoesNotFit, Unknown };

/// Whether all pods of these gangs find a place at the same time on the empty nodes. Exact within the budget.
Packed pack(const Instance& instance, const std::vector<std::size_t>& gangs, std::int64_t budget);

}  // namespace muster::prove
