#include "prove/instance.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace muster::prove {
namespace {

__extension__ using Wide = __int128;  // bytes by accelerators

std::size_t pool_named(const World& world, const std::string& name) {
  const auto found =
      std::ranges::find(world.pools, name, [](const WorldPool& pool) -> const std::string& { return pool.name.value; });
  return static_cast<std::size_t>(found - world.pools.begin());
}

const std::string& pool_of(const WorldGang& gang, const WorldRole& role) {
  return role.pool.empty() ? gang.pool : role.pool;
}

Amounts need_of(const WorldRole& role) { return {role.gpus_per_pod, role.milli_cpus_per_pod, role.memory_per_pod}; }

/// GPUs that all gangs of a queue ask for, by its name.
using Asked = std::map<std::string_view, std::int64_t>;

Asked asked_of(const World& world) {
  std::map<std::string_view, Wide> sums;
  for (const WorldGang& gang : world.gangs) {
    for (const WorldRole& role : gang.roles) sums[gang.queue] += static_cast<Wide>(role.pods) * role.gpus_per_pod;
  }
  Asked out;
  for (const auto& [queue, sum] : sums) out.emplace(queue, static_cast<std::int64_t>(std::min<Wide>(sum, kPlenty)));
  return out;
}

bool can_run_out(const Asked& asked, const WorldQueue& queue) {
  const auto found = asked.find(queue.name);
  return (found == asked.end() ? 0 : found->second) > queue.gpus;
}

/// Gangs of one queue stop each other wherever they are.
void join_by_queues(const World& world, const Asked& asked, std::vector<std::size_t>& set) {
  for (const WorldQueue& queue : world.queues) {
    if (!can_run_out(asked, queue)) continue;
    std::optional<std::size_t> first;
    for (const WorldGang& gang : world.gangs) {
      const std::size_t pool = gang.roles.empty() || gang.queue != queue.name
                                   ? world.pools.size()
                                   : pool_named(world, pool_of(gang, gang.roles.front()));
      if (pool == world.pools.size()) continue;
      if (!first) first = set[pool];
      const std::size_t low = std::min(*first, set[pool]);
      std::ranges::replace(set, std::max(*first, set[pool]), low);
      first = low;
    }
  }
}

/// Pools joined by gangs that reach more than one of them: the number of each pool's set.
std::vector<std::size_t> sets_of_pools(const World& world, const Asked& asked) {
  std::vector<std::size_t> set(world.pools.size());
  std::iota(set.begin(), set.end(), std::size_t{0});
  for (const WorldGang& gang : world.gangs) {
    std::optional<std::size_t> first;
    for (const WorldRole& role : gang.roles) {
      const std::size_t pool = pool_named(world, pool_of(gang, role));
      if (pool == world.pools.size()) continue;
      if (!first) first = set[pool];
      const std::size_t low = std::min(*first, set[pool]);
      const std::size_t high = std::max(*first, set[pool]);
      std::ranges::replace(set, high, low);
      first = low;
    }
  }
  join_by_queues(world, asked, set);
  return set;
}

class Builder {
 public:
  Builder(const World& world, const Asked& asked, Instance& out) : world_(world), asked_(asked), out_(out) {
    out_.world = &world;
  }

  void run() {
    find_levels();
    for (const std::size_t pool : out_.pools) add_pool(world_.pools[pool], pool);
    for (std::size_t g = 0; g < world_.gangs.size(); ++g) add_gang(g);
    drop_what_cannot_bind();
    find_evictable();
    for (GangSpec& gang : out_.gangs) gang.one_per_node = world_.gangs[gang.gang].one_per_node && two_fit_a_node(gang);
  }

 private:
  void find_levels() {
    for (const std::size_t pool : out_.pools) {
      for (const WorldNodes& nodes : world_.pools[pool].nodes) {
        for (const auto& [level, domain] : nodes.domains) {
          std::map<std::string, std::int32_t>& domains = levels_[level];
          domains.emplace(domain, static_cast<std::int32_t>(domains.size()));
        }
      }
    }
    for (const auto& [level, domains] : levels_)
      out_.domains_of_level.push_back(static_cast<std::int32_t>(domains.size()));
  }

  void add_pool(const WorldPool& pool, std::size_t number) {
    std::int64_t first = 0;
    for (const WorldNodes& nodes : pool.nodes) {
      NodeClass made{number,
                     first,
                     nodes.count,
                     {nodes.gpus, nodes.milli_cpus.value_or(kPlenty), nodes.memory.value_or(kPlenty)},
                     {}};
      for (const auto& [level, domains] : levels_) {
        const auto found = nodes.domains.find(level);
        made.domains.push_back(found == nodes.domains.end() ? -1 : domains.at(found->second));
      }
      first += nodes.count;
      if (nodes.count <= 0) continue;
      out_.classes.push_back(std::move(made));
      nodes_.push_back(&nodes);
    }
    PoolRule& rule = out_.rules.emplace_back();
    if (pool.quota.is_set()) rule.quota = pool.quota.value;
    rule.serial = pool.serial.is_set() && pool.serial.value;
  }

  void add_gang(std::size_t number) {
    const WorldGang& gang = world_.gangs[number];
    GangSpec made;
    made.gang = number;
    made.first_kind = out_.kinds.size();
    made.first_tie = out_.ties.size();
    made.gpus_in.resize(out_.pools.size());
    made.pods_in.resize(out_.pools.size());
    std::int64_t idle = 0;  // pods that need nothing always find a place
    for (std::size_t r = 0; r < gang.roles.size(); ++r) {
      const WorldRole& role = gang.roles[r];
      const std::size_t pool = pool_named(world_, pool_of(gang, role));
      if (std::ranges::find(out_.pools, pool) == out_.pools.end() || role.pods <= 0) continue;
      if (need_of(role) == Amounts{}) {
        idle += role.pods;
        continue;
      }
      add_kind(gang, r, pool);
      made.pods += role.pods;
      made.gpus += role.pods * role.gpus_per_pod;
      const auto place = static_cast<std::size_t>(std::ranges::find(out_.pools, pool) - out_.pools.begin());
      made.gpus_in[place] += role.pods * role.gpus_per_pod;
      made.pods_in[place] += role.pods;
    }
    made.kinds = out_.kinds.size() - made.first_kind;
    if (made.kinds == 0) return;
    finish(gang, idle, made);
    out_.gangs.push_back(made);
  }

  void add_kind(const WorldGang& gang, std::size_t r, std::size_t pool) {
    const WorldRole& role = gang.roles[r];
    PodKind kind{out_.gangs.size(), r, role.pods, std::min(role.guaranteed, role.pods), need_of(role), {}, {}};
    for (std::size_t c = 0; c < out_.classes.size(); ++c) {
      const bool matches = std::ranges::all_of(role.selector, [&](const auto& wanted) {
        const auto label = nodes_[c]->labels.find(wanted.first);
        return label != nodes_[c]->labels.end() && label->second == wanted.second;
      });
      kind.eligible.push_back(out_.classes[c].pool == pool && matches ? 1 : 0);
    }
    out_.kinds.push_back(std::move(kind));
    if (!role.domain.empty()) tie(role.domain, out_.kinds.size() - 1);
  }

  /// Ties the kinds from `first` on.
  void tie(const std::string& level_name, std::size_t first) {
    const auto level = levels_.find(level_name);
    for (std::size_t kind = first; kind < out_.kinds.size(); ++kind) out_.kinds[kind].ties.push_back(out_.ties.size());
    out_.ties.push_back({static_cast<std::int32_t>(std::distance(levels_.begin(), level)), out_.kinds.size() - first});
  }

  /// Ties the roles that share a domain by name.
  void tie_sets(const WorldGang& gang, const GangSpec& made) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> sets;
    for (std::size_t kind = made.first_kind; kind < out_.kinds.size(); ++kind) {
      for (const auto& [level, set] : gang.roles[out_.kinds[kind].role].within) sets[{level, set}].push_back(kind);
    }
    for (const auto& [set, kinds] : sets) {
      const auto level = levels_.find(set.first);
      for (const std::size_t kind : kinds) out_.kinds[kind].ties.push_back(out_.ties.size());
      out_.ties.push_back({static_cast<std::int32_t>(std::distance(levels_.begin(), level)), kinds.size()});
    }
  }

  void finish(const WorldGang& gang, std::int64_t idle, GangSpec& made) {
    const std::int64_t written = gang.guaranteed.is_set() ? gang.guaranteed.value : 1;
    const std::int64_t guaranteed = std::clamp<std::int64_t>(written - idle, 1, made.pods);
    std::int64_t least = 0;
    for (std::size_t kind = made.first_kind; kind < out_.kinds.size(); ++kind) {
      if (gang.mechanism != Mechanism::Atomic) out_.kinds[kind].least = 0;  // nothing commits them together
      least += out_.kinds[kind].least;
    }
    switch (gang.mechanism) {
      case Mechanism::PerPod: break;
      case Mechanism::Atomic: made.guaranteed = std::max(guaranteed, least); break;
      case Mechanism::HoldAndRelease:
        made.hold_until = gang.timeout_seconds ? guaranteed : 0;
        made.guaranteed = std::clamp<std::int64_t>(gang.at_once - idle, 1, guaranteed);
        break;
      case Mechanism::Quota:
        made.by_quota = true;
        made.hold_until = gang.timeout_seconds ? made.pods : 0;
        break;
      case Mechanism::OrderedAtomic:
        made.guaranteed = made.pods;
        made.in_order = true;
        break;
    }
    made.coupled = gang.coupled;
    made.preempts = gang.preempts;
    made.evicts_pods = gang.preempts && gang.evicts_pods;
    made.restarts_whole = gang.restarts_whole;
    for (std::size_t q = 0; q < world_.queues.size(); ++q) {
      if (world_.queues[q].name == gang.queue && can_run_out(asked_, world_.queues[q])) made.queue = q;
    }
    made.priority = gang.priority;
    tie_sets(gang, made);
    if (!gang.domain.empty()) tie(gang.domain, made.first_kind);
    made.ties = out_.ties.size() - made.first_tie;
  }

  /// CPUs and memory that run out later than the accelerators on every node, whatever mix of pods stands there, only
  /// cost time.
  void drop_what_cannot_bind() {
    for (std::size_t r = 1; r < Amounts{}.size(); ++r) {
      const bool binds = std::ranges::any_of(out_.kinds, [&](const PodKind& kind) {
        for (std::size_t c = 0; c < out_.classes.size(); ++c) {
          const Amounts& free = out_.classes[c].free;
          if (kind.eligible[c] == 0 || kind.need[r] == 0 || free[r] == kPlenty) continue;
          if (kind.need[0] == 0 || free[0] == 0) return true;
          // Its share of this resource against its share of the accelerators.
          if (static_cast<Wide>(kind.need[r]) * free[0] > static_cast<Wide>(kind.need[0]) * free[r]) return true;
        }
        return false;
      });
      if (binds) continue;
      for (PodKind& kind : out_.kinds) kind.need[r] = 0;
    }
  }

  void find_evictable() {
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (const GangSpec& gang : out_.gangs) highest = gang.evicts_pods ? std::max(highest, gang.priority) : highest;
    for (GangSpec& gang : out_.gangs) {
      gang.evictable = gang.coupled && !gang.restarts_whole && gang.pods > 1 && gang.priority < highest;
      out_.evicts = out_.evicts || gang.evictable;
    }
  }

  bool two_fit_a_node(const GangSpec& gang) const {
    for (std::size_t c = 0; c < out_.classes.size(); ++c) {
      std::map<Amounts, std::int64_t> pods;  // by need: a job of a thousand segments asks for one thing
      for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) {
        if (out_.kinds[kind].eligible[c] != 0) pods[out_.kinds[kind].need] += out_.kinds[kind].count;
      }
      for (auto one = pods.begin(); one != pods.end(); ++one) {
        Amounts left = out_.classes[c].free;
        if (room_for(left, one->first) == 0) continue;
        take(left, one->first, 1);
        for (auto other = one; other != pods.end(); ++other) {
          if ((other != one || one->second > 1) && room_for(left, other->first) > 0) return true;
        }
      }
    }
    return false;
  }

  const World& world_;
  const Asked& asked_;
  Instance& out_;
  std::map<std::string, std::map<std::string, std::int32_t>> levels_;
  std::vector<const WorldNodes*> nodes_;  ///< of each class
};

}  // namespace

std::vector<Instance> instances_of(const World& world, std::int64_t faults) {
  const Asked asked = asked_of(world);
  const std::vector<std::size_t> set = sets_of_pools(world, asked);
  std::vector<Instance> out;
  for (std::size_t first = 0; first < set.size(); ++first) {
    if (set[first] != first) continue;
    Instance instance;
    for (std::size_t pool = first; pool < set.size(); ++pool) {
      if (set[pool] == first) instance.pools.push_back(pool);
    }
    instance.faults = faults;
    Builder(world, asked, instance).run();
    out.push_back(std::move(instance));
  }
  return out;
}

std::int32_t domain_of(const Instance& instance, std::size_t node_class, std::size_t tie) {
  const std::vector<std::int32_t>& domains = instance.classes[node_class].domains;
  const auto level = static_cast<std::size_t>(instance.ties[tie].level);
  return level < domains.size() ? domains[level] : -1;
}

std::int32_t domains_of(const Instance& instance, std::size_t tie) {
  const auto level = static_cast<std::size_t>(instance.ties[tie].level);
  return level < instance.domains_of_level.size() ? instance.domains_of_level[level] : 0;
}

std::int64_t room_on(const Instance& instance, std::size_t node_class, std::size_t kind) {
  const PodKind& pod = instance.kinds[kind];
  if (pod.eligible[node_class] == 0) return 0;
  const std::int64_t room = room_for(instance.classes[node_class].free, pod.need);
  return instance.gangs[pod.gang].one_per_node ? std::min<std::int64_t>(room, 1) : room;
}

std::int64_t room_for(const Amounts& free, const Amounts& need) {
  constexpr std::int64_t kMostRoom = 10'000'000'000;  // more pods than there are; times all nodes it fits 64 bits
  std::int64_t room = kMostRoom;
  for (std::size_t r = 0; r < need.size(); ++r) {
    if (need[r] <= 0) continue;
    if (free[r] < need[r]) return 0;
    room = std::min(room, free[r] / need[r]);
  }
  return room;
}

void take(Amounts& free, const Amounts& need, std::int64_t pods) {
  for (std::size_t r = 0; r < need.size(); ++r) free[r] -= need[r] * pods;
}

std::optional<std::int64_t> only_quota(const Instance& instance) {
  return instance.rules.size() == 1 ? instance.rules.front().quota : std::nullopt;
}
bool quotas_of_several(const Instance& instance) {
  return instance.rules.size() > 1 &&
         std::ranges::any_of(instance.rules, [](const PoolRule& rule) { return rule.quota.has_value(); });
}
bool has_serial(const Instance& instance) {
  return std::ranges::any_of(instance.rules, &PoolRule::serial) &&
         std::ranges::any_of(instance.gangs, &GangSpec::by_quota);
}
bool has_queues(const Instance& instance) {
  return std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return gang.queue.has_value(); });
}

std::int64_t taken_by(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held,
                      const std::vector<std::int64_t>& held_of_kind) {
  const GangSpec& spec = instance.gangs[gang];
  if (held[gang] == 0) return 0;
  if (spec.by_quota) return spec.gpus;
  std::int64_t sum = 0;
  for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind)
    sum += held_of_kind[kind] * instance.kinds[kind].need[0];
  return sum;
}

std::int64_t taken_beside(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held,
                          const std::vector<std::int64_t>& held_of_kind) {
  const std::optional<std::size_t> queue = instance.gangs[gang].queue;
  std::int64_t sum = 0;
  for (std::size_t other = 0; queue && other < held.size(); ++other) {
    if (instance.gangs[other].queue == queue) sum += taken_by(instance, other, held, held_of_kind);
  }
  return sum;
}

bool admits(const Instance& instance, std::size_t gang, const std::vector<std::int64_t>& held, std::int64_t taken,
            const std::vector<char>* settled) {
  const GangSpec& spec = instance.gangs[gang];
  if (!spec.by_quota || held[gang] > 0) return true;
  if (spec.queue && spec.gpus + taken > instance.world->queues[*spec.queue].gpus) return false;
  for (std::size_t pool = 0; pool < instance.rules.size(); ++pool) {
    if (spec.pods_in[pool] == 0) continue;
    std::int64_t sum = spec.gpus_in[pool];
    for (std::size_t other = 0; other < held.size(); ++other) {
      const GangSpec& one = instance.gangs[other];
      if (held[other] == 0 || !one.by_quota || one.pods_in[pool] == 0) continue;
      const bool was_whole = held[other] == one.pods || (settled != nullptr && (*settled)[other] != 0);
      if (instance.rules[pool].serial && !was_whole) return false;
      sum += one.gpus_in[pool];
    }
    if (instance.rules[pool].quota && sum > *instance.rules[pool].quota) return false;
  }
  return true;
}

std::int64_t queue_room(const Instance& instance, std::size_t kind, std::int64_t taken) {
  const GangSpec& gang = instance.gangs[instance.kinds[kind].gang];
  const std::int64_t need = instance.kinds[kind].need[0];
  if (!gang.queue || gang.by_quota || need == 0) return kPlenty;
  return std::max<std::int64_t>(0, instance.world->queues[*gang.queue].gpus - taken) / need;
}

std::int64_t fewest_held(const GangSpec& gang) { return gang.coupled ? gang.guaranteed : 1; }
std::int64_t fewest_kept(const GangSpec& gang) { return std::max(fewest_held(gang), gang.hold_until); }

}  // namespace muster::prove
