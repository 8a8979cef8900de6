#pragma once

#include <vector>

#include "decide/decision.h"
#include "facts/object_type.h"
#include "model/model.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Evaluates the tables for a workload over all values that its unknown facts could have. A value that is the same for
/// all of them is decided; else it is open, with exactly the facts that decide it.
Decision decide(const Workload& workload, const RuleBook& book, const Targets& targets = {});

/// One a workload, in the order of the model.
std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Targets& targets = {});

/// What expressions may ask about decisions; `decisions` must outlive them.
DomainFunctions decision_functions(const std::vector<Decision>& decisions);

}  // namespace muster
