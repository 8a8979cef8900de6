#pragma once

#include "syntax/document.h"

namespace muster {

/// Whether a container counts its rank from more than 0, as `--node_rank=$((JOB_COMPLETION_INDEX + 1))`: those before
/// are pods of another object.
bool leaves_ranks_to_others(const Node& container);

}  // namespace muster
