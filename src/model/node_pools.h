#pragma once

#include "model/manifest.h"

namespace muster {

/// Whether a pool of nodes (a NodePool of Karpenter) is for accelerators by its taints: one has `gpu` in its key.
bool has_taint_for_gpus(const Manifest& pool);

}  // namespace muster
