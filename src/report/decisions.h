#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "source/source_map.h"

namespace muster {

/// For people: one paragraph a workload, with the trace and the answers to --why-not where there are any, and one for
/// the fleet where there is more than one workload.
std::string decisions_text(const std::vector<Decision>& decisions, const FleetDecision& fleet,
                           const SourceMap& sources);

/// muster.decide/v1.
std::string decisions_json(const std::vector<Decision>& decisions, const FleetDecision& fleet,
                           const SourceMap& sources);

/// The same as a value, to be part of something larger.
nlohmann::ordered_json decisions_value(const std::vector<Decision>& decisions, const FleetDecision& fleet,
                                       const SourceMap& sources);

// The parts about why, in decisions_why.cc.
std::string trace_text(const Decision& decision, const SourceMap& sources);
nlohmann::ordered_json trace_json(const Decision& decision, const SourceMap& sources);
nlohmann::ordered_json why_not_json(const Decision& decision, const SourceMap& sources);

}  // namespace muster
