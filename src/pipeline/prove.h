#pragma once

#include <vector>

#include "facts/object_type.h"
#include "finding/finding.h"
#include "model/model.h"
#include "worlds/worlds.h"

namespace muster {

/// Counterexamples about the gangs and the fleet of the input, as findings: what can never be placed, what can block
/// each other, what can be left with a part of its pods. Silent where something had to be assumed, and about world
/// files, which ask what if.
std::vector<Finding> prove_for_check(const Model& model);

/// Worlds of batch jobs on the nodes of their slurm.conf, too, as these releases have them.
WorldOptions world_options(const Targets& targets, std::int64_t concurrent = 1);

}  // namespace muster
