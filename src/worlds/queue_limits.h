#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// A queue that admits so many accelerators at a time.
struct QueueLimit {
  const Queue* queue = nullptr;
  std::int64_t gpus = 0;
};

/// What is known of how much a gang's queue admits.
struct QueueLimits {
  std::optional<QueueLimit> gpus;
  const ResourceFlavor* flavor = nullptr;  ///< whose node labels its pods with accelerators get as a selector
  std::string needs;                ///< what would decide `gpus`; empty: the limit, or that there is none, is known
  std::vector<std::string> beyond;  ///< what else it may not admit, in words
};

/// For so many instances of each gang in flight.
QueueLimits limits_of(const Model& model, const Gang& gang, std::int64_t concurrent);

}  // namespace muster
