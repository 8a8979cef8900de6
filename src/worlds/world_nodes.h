#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/fleet.h"
#include "model/world.h"

namespace muster {

/// The level of the fleet's topology that a node label stands for: the level of that name, or of its last part:
/// network.example.com/leaf is `leaf`.
std::optional<std::string> level_of_label(const Fleet& fleet, std::string_view label);

/// By node: the domain it stands in, by level.
using NodePlaces = std::unordered_map<std::string, std::map<std::string, std::string>>;
/// As the domains of the fleet file say.
NodePlaces places_in(const Fleet& fleet);

/// One pool of a world: the nodes of these node pools, whose size and GPUs are known. With `places` the nodes are told
/// apart by where they stand.
WorldPool world_pool(const std::vector<const NodePool*>& pools, const std::optional<NodePlaces>& places);

/// The same nodes in the order of these names, which are all that there are: those of no pool stand between them with
/// nothing to give. Nothing where like nodes hardly ever stand together.
std::optional<std::vector<WorldNodes>> nodes_in_order(const std::vector<const NodePool*>& pools,
                                                      const std::optional<NodePlaces>& places,
                                                      const std::vector<std::string>& names);

}  // namespace muster
