#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "finding/matching.h"

namespace muster {

/// Findings by what they are about, as baselines and reports have them: what is empty, and a count of one, is not
/// written.
nlohmann::ordered_json keyed_json(const KeyedFindings& finding);

/// A baseline file (muster: baseline/v1): equal findings once with their count, sorted, one on a line, so that a change
/// of one is a change of a line.
std::string render_baseline(std::vector<KeyedFindings> findings);

}  // namespace muster
