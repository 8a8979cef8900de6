#pragma once

#include "pipeline/discover.h"

namespace muster {

/// Whether no text was left out: only then does one that speaks of something nowhere speak of it.
inline bool is_whole(const Inputs& inputs) {
  return inputs.too_large.empty() && inputs.ignored.empty() && inputs.excluded.empty();
}

}  // namespace muster
