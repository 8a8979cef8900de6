#pragma once

#include <string>
#include <vector>

#include "decide/decision.h"

namespace muster {

/// For people: one paragraph a workload.
std::string decisions_text(const std::vector<Decision>& decisions);

/// muster.decide/v1.
std::string decisions_json(const std::vector<Decision>& decisions);

}  // namespace muster
