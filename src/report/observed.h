#pragma once

#include <string>

#include "observe/observed.h"

namespace muster {

/// For people: who is stuck, who holds what, the cycle, what to evict.
std::string observed_text(const Observed& observed);

/// muster.observed/v1
std::string observed_json(const Observed& observed);

}  // namespace muster
