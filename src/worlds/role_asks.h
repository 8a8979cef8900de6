#pragma once

#include <vector>

#include "model/model.h"

namespace muster {

using NodePools = std::vector<const NodePool*>;

/// Of these pools those that a pod of the role may go to: with accelerators to those that have some.
NodePools pools_of(const Role& role, const NodePools& pools);

/// Adds words that are not there yet.
void add_beyond(WorldGang& gang, const std::vector<std::string>& words);

/// The node labels of a Kueue flavor, which pods that get it select; beyond the pools where these do not list them all.
/// Source: kubernetes-sigs/kueue:site/content/en/docs/concepts/resource_flavor.md (0.19).
void ask_for_flavor(const ResourceFlavor& flavor, const NodePools& pools, Role& role, WorldGang& gang);

/// What a pod asks of its node: as the pools say what they have of it, or beyond them.
void ask_for_pod(const Role& role, const NodePools& pools, WorldRole& made, WorldGang& gang);

/// A selector of which each pool knows every label says itself where the pods go.
bool labels_are_told(const Role& role, const NodePools& pools);

}  // namespace muster
