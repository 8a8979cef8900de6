#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prove/prove.h"

// What check_proof() sees of a world. Nothing here is shared with the engines, so that a mistake of theirs does not
// pass there as well.

namespace muster::check {

/// Accelerators, thousandths of a CPU, bytes.
using Sizes = std::array<std::int64_t, 3>;
constexpr std::int64_t kEndless = std::int64_t{1} << 60;

/// Nodes that are alike.
struct Place {
  std::size_t pool = 0;
  std::int64_t first = 0;  ///< number within the pool
  std::int64_t count = 0;
  Sizes has{};
  const WorldNodes* nodes = nullptr;
};

/// A role that asks for something.
struct Part {
  std::size_t gang = 0;  ///< in View::teams
  std::size_t role = 0;  ///< in WorldGang::roles
  std::size_t pool = 0;
  std::int64_t pods = 0;
  std::int64_t least = 0;  ///< within the first commit
  Sizes asks{};            ///< what can run out; see leave_out_what_cannot_run_out()
  const WorldRole* as = nullptr;
};

/// A gang that asks for something.
struct Team {
  std::size_t number = 0;  ///< in World::gangs
  std::size_t first = 0;   ///< in View::parts
  std::size_t parts = 0;
  std::int64_t pods = 0;
  std::int64_t gpus = 0;
  std::int64_t together = 1;  ///< pods of the first commit
  std::int64_t until = 0;     ///< short of so many pods it gives back what it holds; 0: never
  bool by_quota = false;
  bool loses_pods = false;           ///< single pods of it can be evicted
  bool apart = false;                ///< no node takes two of its pods, and some would have the room
  std::optional<std::size_t> queue;  ///< whose limit it can meet
  const WorldGang* as = nullptr;

  std::int64_t fewest() const { return as->coupled ? together : 1; }
};

struct View {
  const World* world = nullptr;
  const ProofResult* result = nullptr;
  std::int64_t faults = 0;
  std::int64_t work = 0;  ///< steps that are left
  std::vector<Place> places;
  std::vector<Part> parts;
  std::vector<Team> teams;
  std::string wrong;  ///< why the result does not speak of this world

  bool may_stand(const Part& part, const Place& place) const;
  /// Pods of the part that an empty node takes, if it may stand there at all.
  std::int64_t room(const Part& part, const Place& place) const;
  bool any_queue() const;
  bool any_serial() const;
  /// The quota of the only pool.
  std::optional<std::int64_t> quota() const;
  std::int64_t gpus_in(const Team& team, std::size_t pool) const;
  /// Whether both stand in one domain of the level by the set that their roles name.
  bool are_of_one_set(const Part& a, const Part& b, const std::string& level) const;
};

View view_of(const World& world, const ProofResult& result, std::int64_t faults, std::int64_t work);

/// Whether a state can break the property for this gang at all: it can hold some of its pods, wait for more, and keep
/// (no-livelock: give back) what it holds.
bool can_be_short(const Team& team, Property property);

CheckAnswer check_sums(View& view);
CheckAnswer check_bound(View& view);
CheckAnswer check_fits(View& view);
CheckAnswer check_quota_sums(View& view);
CheckAnswer check_states(View& view);

inline CheckAnswer refused(std::string why) { return {CheckOutcome::Refused, std::move(why)}; }
inline CheckAnswer too_large(std::string why) { return {CheckOutcome::TooLarge, std::move(why)}; }

}  // namespace muster::check
