#pragma once

#include <cstdint>
#include <optional>

#include "model/written_value.h"

namespace muster {

/// What a service of Compose may use at the most, by `cpus`, `mem_limit` or `deploy.resources.limits`; nothing: it is
/// not limited, or not in numbers.
struct ContainerLimits {
  std::optional<double> cpus;
  std::optional<std::int64_t> megabytes;
};

ContainerLimits container_limits(const WrittenValue& service);

}  // namespace muster
