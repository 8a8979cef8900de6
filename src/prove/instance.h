#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/world.h"

namespace muster::prove {

/// Accelerators, thousandths of a CPU, bytes of memory. A resource that cannot bind is not asked for by anybody.
using Amounts = std::array<std::int64_t, 3>;
constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max() / 4;

/// Nodes that are alike: same pool, free resources, labels and place in the topology.
struct NodeClass {
  std::size_t pool = 0;    ///< in World::pools
  std::int64_t first = 0;  ///< number of its first node within the pool
  std::int64_t count = 0;
  Amounts free{};
  std::vector<std::int32_t> domains;  ///< by level of the instance; -1: in none
};

/// Pods of one role of one gang.
struct PodKind {
  std::size_t gang = 0;  ///< in Instance::gangs
  std::size_t role = 0;  ///< in WorldGang::roles
  std::int64_t count = 0;
  std::int64_t least = 0;  ///< pods of it within the first commit
  Amounts need{};
  std::vector<char> eligible;     ///< by class
  std::vector<std::size_t> ties;  ///< in Instance::ties
};

/// Pods that stand in one domain of a level: those of one role, of some, or of all roles of a gang.
struct DomainTie {
  std::int32_t level = 0;  ///< as many as there are levels: one that no node has
  std::size_t kinds = 0;   ///< how many kinds it ties
};

struct GangSpec {
  std::size_t gang = 0;  ///< in World::gangs
  std::size_t first_kind = 0;
  std::size_t kinds = 0;
  std::size_t first_tie = 0;
  std::size_t ties = 0;
  std::int64_t pods = 0;        ///< N, of the pods that need anything
  std::int64_t guaranteed = 1;  ///< K of them are placed at once or none; 1: each for itself
  std::int64_t hold_until = 0;  ///< what is held below this many pods is given back after a timeout; 0: nothing is
  bool by_quota = false;        ///< held against the quota of the instance
  bool coupled = true;
  bool preempts = false;
  bool evicts_pods = false;  ///< single pods of gangs of lower priority, where they are not restarted whole
  bool restarts_whole = false;
  bool evictable = false;             ///< another gang may take single pods of it away
  bool in_order = false;              ///< roles are placed one after the other, greedily
  bool one_per_node = false;          ///< no node takes two of its pods, though some would have the room
  std::int64_t gpus = 0;              ///< of all pods
  std::vector<std::int64_t> gpus_in;  ///< by place in Instance::pools
  std::vector<std::int64_t> pods_in;
  std::optional<std::size_t> queue;  ///< in World::queues: one whose limit can bind
  std::int64_t priority = 0;
};

/// Whom a pool lets in of the gangs that are admitted by quota.
struct PoolRule {
  std::optional<std::int64_t> quota;  ///< accelerators
  bool serial = false;
};

/// Pools that the same gangs reach, and those gangs; all in integers.
struct Instance {
  const World* world = nullptr;
  std::vector<std::size_t> pools;
  std::vector<NodeClass> classes;
  std::vector<PodKind> kinds;
  std::vector<GangSpec> gangs;
  std::vector<DomainTie> ties;                 ///< those of one gang stand together
  std::vector<std::int32_t> domains_of_level;  ///< how many domains each level has
  std::vector<PoolRule> rules;                 ///< by place in `pools`
  bool evicts = false;                         ///< some gang is evictable
  std::int64_t faults = 0;                     ///< pods that may be lost after they were placed
  mutable std::int64_t work_left = kPlenty;    ///< steps that what looks at it may still take
};

/// One instance for each set of pools that gangs join, in the order of the world's pools.
std::vector<Instance> instances_of(const World& world, std::int64_t faults);

/// Where nodes of the class stand on the level of the tie; -1: nowhere.
std::int32_t domain_of(const Instance& instance, std::size_t node_class, std::size_t tie);
/// How many domains the level of the tie has.
std::int32_t domains_of(const Instance& instance, std::size_t tie);
/// Pods of that kind that an empty node of the class can take.
std::int64_t room_on(const Instance& instance, std::size_t node_class, std::size_t kind);
/// Pods that ask for so much which a node with so much free has the room for.
std::int64_t room_for(const Amounts& free, const Amounts& need);
void take(Amounts& free, const Amounts& need, std::int64_t pods);

/// The quota of the one pool; nothing where there is none, or where several pools have their own.
std::optional<std::int64_t> only_quota(const Instance& instance);
bool quotas_of_several(const Instance& instance);
bool has_serial(const Instance& instance);
bool has_queues(const Instance& instance);
/// Accelerators of its queue's limit that the gang takes: one by quota takes it for all of its pods at once.
std::int64_t taken_by(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held,
                      const std::vector<std::int64_t>& held_of_kind);
/// Those that all gangs of the queue of this gang take; 0 where it has none.
std::int64_t taken_beside(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held,
                          const std::vector<std::int64_t>& held_of_kind);
/// Whether the gang may begin while these gangs hold so many pods, and so much is taken in its queue; `settled`: those
/// that were once whole, if that is kept.
bool admits(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held, std::int64_t taken,
            const std::vector<char>* settled);
/// How many more pods of the kind its queue lets it hold, in which so much is taken.
std::int64_t queue_room(const Instance& instance, std::size_t kind, std::int64_t taken);

/// The fewest pods the gang can hold, without faults.
std::int64_t fewest_held(const GangSpec& gang);
/// The fewest pods it can hold for ever: held short of `hold_until`, they are given back.
std::int64_t fewest_kept(const GangSpec& gang);

}  // namespace muster::prove
