#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/fleet.h"
#include "model/world.h"

namespace muster {

/// The level of the fleet's topology that a node label stands for: the level of that name, or of its last part:
/// network.example.com/leaf is `leaf`.
std::optional<std::string> level_of_label(const Fleet& fleet, std::string_view label);

/// One pool of a world: the nodes of these node pools, whose size and GPUs are known. With `domains` the nodes are told
/// apart by where the fleet file says that they stand.
WorldPool world_pool(const Fleet& fleet, const std::vector<const NodePool*>& pools, bool domains);

}  // namespace muster
