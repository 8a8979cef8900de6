#pragma once

#include "model/model.h"

namespace muster {

/// What the queue of each gang means for it, of queues that are in the input: `preemptible` and `own_quota` of KAI,
/// `unmet_level` of Kueue, `sort_policy` and `above_max` of YuniKorn.
void fit_into_queues(Model& model);

}  // namespace muster
