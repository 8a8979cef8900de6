#pragma once

#include <cstddef>
#include <vector>

#include "gang/scheduler.h"
#include "model/model.h"

namespace muster {

/// What a PodGroup with sub-groups or a topology makes of the gangs whose pods belong to it and are placed by its
/// scheduler: their pod sets, where they have to stand, and K. Source: docs/gangs.md.
void apply_pod_group(Model& model, const PodGroup& group, const std::vector<std::size_t>& members,
                     const SchedulerBook& book);

}  // namespace muster
