#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/world.h"

namespace muster {

/// A gang of pods of one slot each.
struct SlotGang {
  Mechanism mechanism = Mechanism::PerPod;
  std::int64_t pods = 1;
  std::int64_t guaranteed = 1;
  bool times_out = false;
};

/// A pool of identical slots.
struct SlotWorld {
  std::int64_t slots = 1;
  std::vector<SlotGang> gangs;
  std::optional<std::int64_t> quota;
  bool serial = false;
};

/// The same as a world of nodes with `per_node` GPUs each; slots must be a multiple.
World world_of(const SlotWorld& slots, std::int64_t per_node);

/// What is true of a pool of identical slots, by trying every order of every step there is: arrivals, placements,
/// completions and releases of single gangs. Knows nothing but these rules.
struct SlotTruth {
  bool placeable = true;
  bool all_or_nothing = true;
  bool no_deadlock = true;
  bool no_livelock = true;
  bool quota_consistent = true;
};
SlotTruth try_everything(const SlotWorld& world);

std::vector<SlotGang> all_slot_gangs(std::int64_t most_pods);

}  // namespace muster
