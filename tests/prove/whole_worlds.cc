#include "prove/whole_worlds.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::int64_t kGiga = 1'000'000'000;

/// Pods by gang, role and node; then what each gang once had; then the faults that are left.
using Now = std::basic_string<char>;

class Oracle {
 public:
  Oracle(const World& world, const std::vector<std::size_t>& gangs, std::int64_t faults)
      : world_(world), gangs_(gangs), faults_(faults) {
    for (std::size_t p = 0; p < world.pools.size(); ++p) {
      for (const WorldNodes& kind : world.pools[p].nodes) {
        for (std::int64_t i = 0; i < kind.count; ++i) nodes_.push_back({p, &kind});
      }
    }
    for (const std::size_t g : gangs) {
      first_role_.push_back(roles_);
      roles_ += world.gangs[g].roles.size();
    }
  }

  std::optional<WholeTruth> run(std::size_t most) {
    WholeTruth truth;
    for (std::size_t i = 0; i < gangs_.size(); ++i)
      truth.placeable = truth.placeable && fits_empty({i}) && within_limits({i});
    truth.quota_consistent = quotas_are_kept();
    Now start(roles_ * nodes_.size() + gangs_.size() + 1, 0);
    start.back() = static_cast<char>(faults_);
    std::vector<Now> todo{start};
    std::unordered_set<Now> seen{start};
    while (!todo.empty()) {
      const Now now = todo.back();
      todo.pop_back();
      look(now, truth);
      std::vector<Now> next;
      steps(now, next);
      for (Now& one : next) {
        mark(one);
        if (seen.insert(one).second) todo.push_back(one);
      }
      if (seen.size() > most) return std::nullopt;
    }
    truth.states = static_cast<std::int64_t>(seen.size());
    return truth;
  }

 private:
  struct Node {
    std::size_t pool;
    const WorldNodes* kind;
  };
  const WorldGang& gang(std::size_t i) const { return world_.gangs[gangs_[i]]; }
  char& at(Now& now, std::size_t i, std::size_t r, std::size_t n) const {
    return now[(first_role_[i] + r) * nodes_.size() + n];
  }
  int on(const Now& now, std::size_t i, std::size_t r, std::size_t n) const {
    return now[(first_role_[i] + r) * nodes_.size() + n];
  }
  static bool asks(const WorldRole& role) {
    return role.gpus_per_pod > 0 || role.memory_per_pod > 0 || role.milli_cpus_per_pod > 0;
  }
  static bool may_go_to(const WorldRole& role, const WorldNodes& node) {
    return std::ranges::all_of(role.selector, [&](const auto& wanted) {
      return node.labels.contains(wanted.first) && node.labels.at(wanted.first) == wanted.second;
    });
  }
  std::int64_t size(std::size_t i) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : gang(i).roles) sum += asks(role) ? role.pods : 0;
    return sum;
  }
  std::int64_t idle(std::size_t i) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : gang(i).roles) sum += asks(role) ? 0 : role.pods;
    return sum;
  }
  std::int64_t held(const Now& now, std::size_t i, std::size_t r) const {
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) sum += on(now, i, r, n);
    return sum;
  }
  std::int64_t held(const Now& now, std::size_t i) const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < gang(i).roles.size(); ++r) sum += held(now, i, r);
    return sum;
  }
  bool settled(const Now& now, std::size_t i) const { return now[roles_ * nodes_.size() + i] != 0; }
  std::int64_t gpus_in(std::size_t i, std::size_t pool) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : gang(i).roles)
      sum += role.pool == world_.pools[pool].name.value ? role.pods * role.gpus_per_pod : 0;
    return sum;
  }
  bool goes_to(std::size_t i, std::size_t pool) const {
    return std::ranges::any_of(
        gang(i).roles, [&](const WorldRole& role) { return asks(role) && role.pool == world_.pools[pool].name.value; });
  }
  std::int64_t gpus(std::size_t i) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : gang(i).roles) sum += role.pods * role.gpus_per_pod;
    return sum;
  }
  std::int64_t limit(std::size_t i) const { return gang(i).queue.empty() ? 1'000'000 : world_.queues.front().gpus; }
  bool by_quota(std::size_t i) const { return gang(i).mechanism == Mechanism::Quota; }

  /// Accelerators that the queue has given away.
  std::int64_t taken(const Now& now) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      if (gang(i).queue.empty() || held(now, i) == 0) continue;
      if (by_quota(i)) sum += gpus(i);
      for (std::size_t r = 0; !by_quota(i) && r < gang(i).roles.size(); ++r)
        sum += held(now, i, r) * gang(i).roles[r].gpus_per_pod;
    }
    return sum;
  }

  bool fits(const Now& now, std::size_t i, std::size_t r, std::size_t n, bool by_rules) const {
    const WorldRole& role = gang(i).roles[r];
    if (held(now, i, r) >= role.pods || role.pool != world_.pools[nodes_[n].pool].name.value) return false;
    if (!may_go_to(role, *nodes_[n].kind)) return false;
    std::int64_t free = nodes_[n].kind->gpus;
    std::int64_t memory = nodes_[n].kind->memory.value_or(1'000'000 * kGiga);
    std::int64_t cpus = nodes_[n].kind->milli_cpus.value_or(1'000'000);
    for (std::size_t other = 0; other < gangs_.size(); ++other) {
      for (std::size_t k = 0; k < gang(other).roles.size(); ++k) {
        free -= on(now, other, k, n) * gang(other).roles[k].gpus_per_pod;
        memory -= on(now, other, k, n) * gang(other).roles[k].memory_per_pod;
        cpus -= on(now, other, k, n) * gang(other).roles[k].milli_cpus_per_pod;
      }
    }
    if (free < role.gpus_per_pod || memory < role.memory_per_pod || cpus < role.milli_cpus_per_pod) return false;
    for (std::size_t k = 0; gang(i).one_per_node && k < gang(i).roles.size(); ++k) {
      if (on(now, i, k, n) > 0) return false;
    }
    if (by_rules && !by_quota(i) && !gang(i).queue.empty() && role.gpus_per_pod > 0 &&
        taken(now) + role.gpus_per_pod > limit(i))
      return false;
    for (std::size_t m = 0; m < nodes_.size(); ++m) {
      for (std::size_t k = 0; k < gang(i).roles.size(); ++k) {
        if (on(now, i, k, m) > 0 && parts_a_set(role, gang(i).roles[k], *nodes_[m].kind, *nodes_[n].kind)) return false;
      }
      if (nodes_[m].kind->domains.at("leaf") == nodes_[n].kind->domains.at("leaf")) continue;
      for (std::size_t k = 0; k < gang(i).roles.size(); ++k) {
        if (on(now, i, k, m) > 0 && (!gang(i).domain.empty() || (k == r && !role.domain.empty()))) return false;
      }
    }
    return true;
  }

  /// Roles that name one set of a level, on nodes of different domains of it.
  static bool parts_a_set(const WorldRole& a, const WorldRole& b, const WorldNodes& here, const WorldNodes& there) {
    for (const auto& [level, set] : a.within) {
      const auto named = b.within.find(level);
      if (named == b.within.end() || named->second != set) continue;
      if (here.domains.at(level) != there.domains.at(level)) return true;
    }
    return false;
  }

  bool admits(const Now& now, std::size_t i) const {
    if (!by_quota(i) || held(now, i) > 0) return true;
    if (!gang(i).queue.empty() && taken(now) + gpus(i) > limit(i)) return false;
    for (std::size_t p = 0; p < world_.pools.size(); ++p) {
      if (!goes_to(i, p)) continue;
      std::int64_t sum = gpus_in(i, p);
      for (std::size_t other = 0; other < gangs_.size(); ++other) {
        if (!by_quota(other) || held(now, other) == 0 || !goes_to(other, p)) continue;
        if (world_.pools[p].serial.is_set() && held(now, other) < size(other) && !settled(now, other)) return false;
        sum += gpus_in(other, p);
      }
      if (world_.pools[p].quota.is_set() && sum > world_.pools[p].quota.value) return false;
    }
    return true;
  }

  /// Pods of the first commit.
  std::int64_t together(std::size_t i) const {
    if (gang(i).mechanism == Mechanism::OrderedAtomic) return size(i);
    if (gang(i).mechanism == Mechanism::HoldAndRelease)
      return std::max<std::int64_t>(1, std::min(gang(i).at_once - idle(i), until(i)));
    if (gang(i).mechanism != Mechanism::Atomic) return 1;
    std::int64_t least = 0;
    for (const WorldRole& role : gang(i).roles) least += asks(role) ? role.guaranteed : 0;
    return std::min(size(i), std::max<std::int64_t>({1, least, gang(i).guaranteed.value - idle(i)}));
  }
  std::int64_t until(std::size_t i) const {
    return by_quota(i) ? size(i) : std::min(size(i), std::max<std::int64_t>(1, gang(i).guaranteed.value - idle(i)));
  }
  void mark(Now& now) const {
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      char& was = now[roles_ * nodes_.size() + i];
      const std::int64_t has = held(now, i);
      const Mechanism mechanism = gang(i).mechanism;
      if (has == 0) was = 0;
      if ((mechanism == Mechanism::Quota || mechanism == Mechanism::HoldAndRelease) && has >= until(i)) was = 1;
    }
  }
  bool gives_back(const Now& now, std::size_t i) const {
    const Mechanism mechanism = gang(i).mechanism;
    if (!gang(i).timeout_seconds || (mechanism != Mechanism::Quota && mechanism != Mechanism::HoldAndRelease))
      return false;
    const std::int64_t has = held(now, i);
    return has > 0 && has < until(i) && !settled(now, i);
  }

  void add(const Now& now, std::size_t i, std::int64_t pods, std::size_t from, std::vector<Now>& out,
           bool by_rules) const {
    if (pods == 0) {
      out.push_back(now);
      return;
    }
    for (std::size_t at_place = from; at_place < nodes_.size() * gang(i).roles.size(); ++at_place) {
      const std::size_t r = at_place / nodes_.size();
      const std::size_t n = at_place % nodes_.size();
      if (!asks(gang(i).roles[r]) || !fits(now, i, r, n, by_rules)) continue;
      Now more = now;
      ++at(more, i, r, n);
      add(more, i, pods - 1, at_place, out, by_rules);
    }
  }
  std::vector<Now> placements(const Now& now, std::size_t i) const {
    std::vector<Now> out;
    const std::int64_t has = held(now, i);
    if (has == size(i) || !admits(now, i)) return out;
    const bool first = has < together(i) && (gang(i).coupled || has == 0);
    add(now, i, first ? together(i) - has : 1, 0, out, true);
    if (!first || gang(i).mechanism != Mechanism::Atomic) return out;
    std::erase_if(out, [&](const Now& to) {
      for (std::size_t r = 0; r < gang(i).roles.size(); ++r) {
        if (asks(gang(i).roles[r]) && held(to, i, r) < gang(i).roles[r].guaranteed) return true;
      }
      return false;
    });
    return out;
  }

  void clear(Now& now, std::size_t i) const {
    for (std::size_t r = 0; r < gang(i).roles.size(); ++r) {
      for (std::size_t n = 0; n < nodes_.size(); ++n) at(now, i, r, n) = 0;
    }
  }
  Now without_below(const Now& now, std::int64_t priority) const {
    Now out = now;
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      if (gang(i).priority < priority) clear(out, i);
    }
    mark(out);
    return out;
  }
  bool stuck(const Now& now, std::size_t i) const {
    if (!placements(now, i).empty()) return false;
    return !gang(i).preempts || placements(without_below(now, gang(i).priority), i).empty();
  }

  void steps(const Now& now, std::vector<Now>& out) const {
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      std::vector<Now> placed = placements(now, i);
      out.insert(out.end(), placed.begin(), placed.end());
      if ((held(now, i) > 0 && held(now, i) == size(i)) || gives_back(now, i)) {
        out.push_back(now);
        clear(out.back(), i);
      }
      for (std::size_t r = 0; r < gang(i).roles.size(); ++r) {
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
          if (on(now, i, r, n) == 0 || (gang(i).coupled && now.back() == 0)) continue;
          out.push_back(now);
          --at(out.back(), i, r, n);
          if (gang(i).coupled) --out.back().back();
        }
      }
      if (gang(i).preempts && placed.empty() && held(now, i) < size(i) && !stuck(now, i)) evict(now, i, out);
    }
  }

  void evict(const Now& now, std::size_t by, std::vector<Now>& out) const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Now cleared = now;
      for (std::size_t i = 0; i < gangs_.size(); ++i) {
        for (std::size_t r = 0; gang(i).priority < gang(by).priority && r < gang(i).roles.size(); ++r)
          at(cleared, i, r, n) = 0;
      }
      bool stands = false;
      for (std::size_t r = 0; r < gang(by).roles.size(); ++r)
        stands = stands || (asks(gang(by).roles[r]) && fits(cleared, by, r, n, false));
      for (std::size_t i = 0; stands && i < gangs_.size(); ++i) {
        for (std::size_t r = 0; gang(i).priority < gang(by).priority && r < gang(i).roles.size(); ++r) {
          if (on(now, i, r, n) == 0) continue;
          out.push_back(now);
          if (!gang(i).coupled || (gang(by).evicts_pods && !gang(i).restarts_whole)) {
            --at(out.back(), i, r, n);
          } else {
            clear(out.back(), i);
          }
        }
      }
    }
  }

  void look(const Now& now, WholeTruth& truth) const {
    bool any = false;
    bool moves = false;
    bool gives = false;
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      const std::int64_t has = held(now, i);
      if (has == 0) continue;
      any = true;
      const bool waits = gang(i).coupled && has < size(i) && stuck(now, i);
      if (waits) truth.all_or_nothing = false;
      moves = moves || !waits;
      gives = gives || gives_back(now, i);
    }
    if (any && !moves) (gives ? truth.no_livelock : truth.no_deadlock) = false;
  }

  bool place_all(const Now& now, const std::vector<std::size_t>& which, std::size_t next) const {
    if (next == which.size()) return true;
    std::vector<Now> ways;
    add(now, which[next], size(which[next]), 0, ways, false);
    return std::ranges::any_of(ways, [&](const Now& way) { return place_all(way, which, next + 1); });
  }
  /// Component after component, each on whichever nodes fit: the next has to find a place beside any of these.
  bool always_fits(const Now& now, std::size_t i, std::size_t r) const {
    const std::size_t none = gang(i).roles.size();
    if (r == none) return true;
    const std::int64_t missing = asks(gang(i).roles[r]) ? gang(i).roles[r].pods - held(now, i, r) : 0;
    if (missing == 0) return always_fits(now, i, r + 1);
    bool fits_somewhere = false;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (!fits(now, i, r, n, false)) continue;
      fits_somewhere = true;
      Now more = now;
      ++at(more, i, r, n);
      if (!always_fits(more, i, r)) return false;
    }
    return fits_somewhere;
  }
  bool fits_empty(const std::vector<std::size_t>& which) const {
    const bool in_order = which.size() == 1 && gang(which.front()).mechanism == Mechanism::OrderedAtomic;
    if (in_order) return always_fits(Now(roles_ * nodes_.size() + gangs_.size() + 1, 0), which.front(), 0);
    return place_all(Now(roles_ * nodes_.size() + gangs_.size() + 1, 0), which, 0);
  }
  bool within_limits(const std::vector<std::size_t>& which) const {
    std::int64_t of_queue = 0;
    for (const std::size_t i : which) of_queue += gang(i).queue.empty() ? 0 : gpus(i);
    if (!world_.queues.empty() && of_queue > world_.queues.front().gpus) return false;
    for (std::size_t p = 0; p < world_.pools.size(); ++p) {
      std::int64_t sum = 0;
      for (const std::size_t i : which) sum += by_quota(i) ? gpus_in(i, p) : 0;
      if (world_.pools[p].quota.is_set() && sum > world_.pools[p].quota.value) return false;
    }
    return true;
  }
  std::optional<bool> quotas_are_kept() const {
    std::vector<std::size_t> those;
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      if (by_quota(i) && within_limits({i})) those.push_back(i);
    }
    for (const std::size_t i : those) {
      for (std::size_t p = 0; p < world_.pools.size(); ++p) {
        if (goes_to(i, p) && !world_.pools[p].quota.is_set()) return std::nullopt;
      }
    }
    for (std::size_t set = 1; set < (std::size_t{1} << those.size()); ++set) {
      std::vector<std::size_t> which;
      for (std::size_t i = 0; i < those.size(); ++i) {
        if ((set >> i & 1) != 0) which.push_back(those[i]);
      }
      if (within_limits(which) && !fits_empty(which)) return false;
    }
    return true;
  }

  const World& world_;
  std::vector<std::size_t> gangs_;
  const std::int64_t faults_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> first_role_;
  std::size_t roles_ = 0;
};

}  // namespace

std::optional<bool> WholeTruth::of(Property property) const {
  switch (property) {
    case Property::Placeable: return placeable;
    case Property::AllOrNothing: return all_or_nothing;
    case Property::NoDeadlock: return no_deadlock;
    case Property::NoLivelock: return no_livelock;
    case Property::QuotaConsistent: return quota_consistent;
  }
  return std::nullopt;
}

std::optional<WholeTruth> try_whole_world(const World& world, const std::vector<std::size_t>& gangs,
                                          std::int64_t faults, std::size_t most) {
  return Oracle(world, gangs, faults).run(most);
}

std::string words_of(const World& world) {
  std::string out;
  for (const WorldPool& pool : world.pools) {
    out += pool.name.value + "[";
    for (const WorldNodes& nodes : pool.nodes) {
      out += std::to_string(nodes.count) + "x" + std::to_string(nodes.gpus) +
             (nodes.memory ? "+" + std::to_string(*nodes.memory / kGiga) + "G" : "") + nodes.domains.at("leaf") +
             (nodes.domains.contains("rack") ? nodes.domains.at("rack") : "") +
             (nodes.labels.contains("kind") ? "/" + nodes.labels.at("kind") : "") +
             (nodes.milli_cpus ? "+" + std::to_string(*nodes.milli_cpus) + "m" : "") + " ";
    }
    if (pool.quota.is_set()) out += "quota " + std::to_string(pool.quota.value);
    if (pool.serial.is_set()) out += " serial";
    out += "] ";
  }
  for (const WorldQueue& queue : world.queues) out += "queue " + std::to_string(queue.gpus) + " ";
  for (const WorldGang& gang : world.gangs) {
    out += "| " + gang.name.value + " " + std::string(name_of(gang.mechanism)) + " " +
           std::to_string(gang.guaranteed.value) + (gang.timeout_seconds ? " times out" : "") +
           (gang.coupled ? "" : " loose") + (gang.one_per_node ? " apart" : "") + (gang.domain.empty() ? "" : " leaf") +
           (gang.queue.empty() ? "" : " queued");
    if (gang.priority != 0 || gang.preempts)
      out += " prio " + std::to_string(gang.priority) +
             (gang.preempts ? gang.evicts_pods ? " evicts pods" : " evicts" : "") +
             (gang.restarts_whole ? " restarts" : "");
    for (const WorldRole& role : gang.roles) {
      out += " (" + role.pool + " " + std::to_string(role.pods) + "x" + std::to_string(role.gpus_per_pod) +
             (role.memory_per_pod > 0 ? "+" + std::to_string(role.memory_per_pod / kGiga) + "G" : "") +
             (role.milli_cpus_per_pod > 0 ? "+" + std::to_string(role.milli_cpus_per_pod) + "m" : "") +
             (role.selector.empty() ? "" : "/" + role.selector.at("kind")) +
             (role.guaranteed > 0 ? " min " + std::to_string(role.guaranteed) : "") +
             (role.domain.empty() ? "" : " leaf");
      for (const auto& [level, set] : role.within) out += " " + level + "=" + set;
      out += ")";
    }
  }
  return out;
}

}  // namespace muster
