#pragma once

#include "syntax/document.h"

namespace muster {

/// Labels and annotations that stand in two places, each where it is written; of one that is in both `own` counts.
Document merged_metadata(const Node& own, const Node& under);

}  // namespace muster
