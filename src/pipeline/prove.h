#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// Counterexamples about the gangs and the fleet of the input, as findings: what can never be placed, what can block
/// each other, what can be left with a part of its pods. Silent where something had to be assumed, and about world
/// files, which ask what if.
std::vector<Finding> prove_for_check(const Model& model);

}  // namespace muster
