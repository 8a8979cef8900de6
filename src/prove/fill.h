#pragma once

#include <optional>

#include "prove/placement.h"

namespace muster::prove {

/// Which of the nodes that have room take the next pods.
enum class Fill {
  First,     ///< in the order of the nodes, each until it is full
  Tight,     ///< full nodes where the least is left over
  Loose,     ///< one pod a node, where the most is free
  Blocking,  ///< as few pods a node as keep a pod of another kind away
};

struct FillPlan {
  Fill how = Fill::First;
  std::optional<std::size_t> against;  ///< Blocking: that kind
};

/// Binds the ties of a kind that are still free to the domain where all of its pods fit and the least is left over;
/// else to the one with the most room.
void bind_best(Placement& placement, std::size_t kind);

/// Puts pods of one kind on the nodes, up to `pods` of them; how many found a place.
std::int64_t fill(Placement& placement, std::size_t kind, std::int64_t pods, const FillPlan& plan);

/// Puts pods of a gang on the nodes, first those its first commit has to hold, of each role all but what `keep_back`
/// says (a kind, of which one pod is left out); how many found a place.
std::int64_t fill_gang(Placement& placement, std::size_t gang, std::int64_t pods, const FillPlan& plan,
                       std::optional<std::size_t> keep_back = std::nullopt);

/// Whether all of that many pods of a gang found a place, anywhere.
bool place_anywhere(Placement& placement, std::size_t gang, std::int64_t pods);

}  // namespace muster::prove
