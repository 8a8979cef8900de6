#pragma once

#include <optional>
#include <string>

#include "prove/placement.h"

namespace muster::prove {

enum class Components { Start, Starve, Unknown };

struct ComponentsAnswer {
  Components outcome = Components::Unknown;
  std::optional<Placement> placement;  ///< Starve: of the components that start
  std::string why;                     ///< Unknown
};

/// Whether the components of a gang, which take their nodes one after the other, leave each other enough on the empty
/// nodes, in view of which nodes they take (WorldGang::takes).
ComponentsAnswer place_components(const Instance& instance, std::size_t gang);

}  // namespace muster::prove
