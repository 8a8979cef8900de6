#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prove/prove.h"

// A plain simulator: single nodes, single pods, no classes. It shares nothing with the engines, so that a mistake of theirs
// does not pass here as well.

namespace muster {
namespace {

struct PlainNode {
  std::size_t pool = 0;
  const WorldNodes* kind = nullptr;
  std::int64_t gpus = 0;
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
};

struct PlainGang {
  std::vector<std::int64_t> placed;            ///< by role
  std::vector<std::pair<std::size_t, std::size_t>> pods;  ///< role and node of each
  std::int64_t needs = 0;                      ///< pods that need anything
  std::int64_t together = 1;                   ///< pods of the first commit
  bool was_bound = false;

  std::int64_t held() const { return static_cast<std::int64_t>(pods.size()); }
};

constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;

bool asks_for_something(const WorldRole& role) { return role.gpus_per_pod > 0 || role.milli_cpus_per_pod > 0 || role.memory_mib_per_pod > 0; }

class Simulator {
 public:
  /// Without rules, pods are placed one by one whatever the mechanism: to show what the nodes take.
  Simulator(const World& world, bool by_rules) : world_(world), by_rules_(by_rules) {
    for (std::size_t p = 0; p < world.pools.size(); ++p) {
      first_.push_back(nodes_.size());
      for (const WorldNodes& kind : world.pools[p].nodes) {
        for (std::int64_t i = 0; i < kind.count; ++i) {
          nodes_.push_back({p, &kind, kind.gpus, kind.milli_cpus.value_or(kUnlimited), kind.memory_mib.value_or(kUnlimited)});
        }
      }
    }
    first_.push_back(nodes_.size());
    for (const WorldGang& gang : world.gangs) {
      PlainGang plain;
      plain.placed.resize(gang.roles.size());
      std::int64_t idle = 0;
      for (const WorldRole& role : gang.roles) (asks_for_something(role) ? plain.needs : idle) += role.pods;
      if (gang.mechanism == Mechanism::OrderedAtomic) plain.together = plain.needs;
      if (gang.mechanism == Mechanism::Atomic && gang.guaranteed.is_set()) plain.together = gang.guaranteed.value - idle;
      plain.together = std::max<std::int64_t>(1, std::min(plain.together, plain.needs));
      gangs_.push_back(std::move(plain));
    }
  }

  std::string play(const ProofCounterexample& found, std::int64_t faults) {
    for (std::size_t at = 0; at < found.steps.size();) {
      std::size_t end = at;
      while (end < found.steps.size() && found.steps[end].commit == found.steps[at].commit) ++end;
      for (std::size_t i = at; i < end; ++i) {
        if (std::string wrong = names_something(found.steps[i]); !wrong.empty()) return wrong;
        if (found.steps[i].gang != found.steps[at].gang) return "a commit of two gangs";
      }
      std::string wrong;
      if (found.steps[at].pods < 0) {
        if (--faults < 0) return "more pods are lost than there are faults";
        wrong = end - at == 1 && found.steps[at].pods == -1 ? lose(found.steps[at]) : "pods are lost one at a time";
      } else {
        wrong = commit(std::vector<ProofStep>(found.steps.begin() + static_cast<std::ptrdiff_t>(at), found.steps.begin() + static_cast<std::ptrdiff_t>(end)));
      }
      if (!wrong.empty()) return wrong;
      at = end;
    }
    return "";
  }

  std::string judge(Property property) const {
    if (property == Property::AllOrNothing) {
      for (std::size_t g = 0; g < gangs_.size(); ++g) {
        if (world_.gangs[g].coupled && gangs_[g].held() > 0 && gangs_[g].held() < gangs_[g].needs && !can_go_on(g)) return "";
      }
      return "no gang that has a part of its pods is stuck";
    }
    bool gives = false;
    bool any = false;
    for (std::size_t g = 0; g < gangs_.size(); ++g) {
      if (gangs_[g].held() == 0) continue;
      any = true;
      if (gangs_[g].held() == gangs_[g].needs || !world_.gangs[g].coupled) return "a gang completes, or pods of it do";
      if (can_go_on(g)) return "a gang can go on";
      gives = gives || gives_back(g);
    }
    if (!any) return "nobody holds anything";
    if (property == Property::NoDeadlock && gives) return "a gang gives back what it holds";
    if (property == Property::NoLivelock && !gives) return "no gang gives back what it holds";
    return "";
  }

  /// A gang that does not fit alone, or whose components starve.
  std::string judge_placeable(std::size_t g) {
    const WorldGang& gang = world_.gangs[g];
    if (gang.mechanism == Mechanism::Quota && gpus_of(g) > quota_of(g)) return "";
    if (gang.mechanism == Mechanism::OrderedAtomic && components_starve(g)) return "";
    clear();
    return alone_fits({g}) ? "the gang fits the empty nodes" : "";
  }

  std::string judge_quota(const ProofCounterexample& found) {
    std::int64_t sum = 0;
    std::vector<std::size_t> gangs;
    for (const ProofHold& hold : found.holds) {
      if (world_.gangs[hold.gang].mechanism != Mechanism::Quota) return "a gang that no quota admits";
      sum += gpus_of(hold.gang);
      gangs.push_back(hold.gang);
    }
    if (gangs.empty() || sum > quota_of(gangs.front())) return "the quota does not admit them";
    clear();
    return alone_fits(gangs) ? "they fit the nodes together" : "";
  }

 private:
  void clear() {
    for (PlainNode& node : nodes_) {
      node.gpus = node.kind->gpus;
      node.cpus = node.kind->milli_cpus.value_or(kUnlimited);
      node.memory = node.kind->memory_mib.value_or(kUnlimited);
    }
    for (PlainGang& gang : gangs_) {
      std::ranges::fill(gang.placed, 0);
      gang.pods.clear();
    }
  }

  std::string names_something(const ProofStep& step) const {
    if (step.gang >= gangs_.size() || step.role >= world_.gangs[step.gang].roles.size()) return "a step of no gang";
    if (step.pool >= world_.pools.size() || step.node < 0) return "a step on no node";
    if (first_[step.pool] + static_cast<std::size_t>(step.node) >= first_[step.pool + 1]) return "a step on no node";
    return "";
  }

  std::size_t pool_of(std::size_t g, std::size_t r) const {
    const WorldGang& gang = world_.gangs[g];
    const std::string& name = gang.roles[r].pool.empty() ? gang.pool : gang.roles[r].pool;
    std::size_t p = 0;
    while (p < world_.pools.size() && world_.pools[p].name.value != name) ++p;
    return p;
  }

  bool fits(std::size_t g, std::size_t r, const PlainNode& node) const {
    const WorldGang& gang = world_.gangs[g];
    const WorldRole& role = gang.roles[r];
    if (gangs_[g].placed[r] >= role.pods || node.pool != pool_of(g, r)) return false;
    if (node.gpus < role.gpus_per_pod || node.cpus < role.milli_cpus_per_pod || node.memory < role.memory_mib_per_pod) return false;
    for (const auto& [key, value] : role.selector) {
      const auto label = node.kind->labels.find(key);
      if (label == node.kind->labels.end() || label->second != value) return false;
    }
    if (gang.one_per_node && stands_on(g, node)) return false;
    return stands_with(g, gang.domain, std::nullopt, node) && stands_with(g, role.domain, r, node);
  }

  /// Whether the node is in the domain of those pods of the gang, or of one role of it, that have a place.
  bool stands_with(std::size_t g, const std::string& level, std::optional<std::size_t> role, const PlainNode& node) const {
    if (level.empty()) return true;
    const auto own = node.kind->domains.find(level);
    if (own == node.kind->domains.end()) return false;
    return std::ranges::all_of(gangs_[g].pods, [&](const auto& pod) {
      return (role && pod.first != *role) || nodes_[pod.second].kind->domains.at(level) == own->second;
    });
  }

  bool stands_on(std::size_t g, const PlainNode& node) const {
    return std::ranges::any_of(gangs_[g].pods, [&](const auto& pod) { return &nodes_[pod.second] == &node; });
  }

  void put(std::size_t g, std::size_t r, std::size_t n) {
    const WorldRole& role = world_.gangs[g].roles[r];
    nodes_[n].gpus -= role.gpus_per_pod;
    nodes_[n].cpus -= role.milli_cpus_per_pod;
    nodes_[n].memory -= role.memory_mib_per_pod;
    ++gangs_[g].placed[r];
    gangs_[g].pods.emplace_back(r, n);
  }

  void take(std::size_t g, std::size_t i) {
    const auto [r, n] = gangs_[g].pods[i];
    const WorldRole& role = world_.gangs[g].roles[r];
    nodes_[n].gpus += role.gpus_per_pod;
    nodes_[n].cpus += role.milli_cpus_per_pod;
    nodes_[n].memory += role.memory_mib_per_pod;
    --gangs_[g].placed[r];
    gangs_[g].pods.erase(gangs_[g].pods.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::string lose(const ProofStep& step) {
    const std::size_t n = first_[step.pool] + static_cast<std::size_t>(step.node);
    for (std::size_t i = 0; i < gangs_[step.gang].pods.size(); ++i) {
      if (gangs_[step.gang].pods[i] != std::pair(step.role, n)) continue;
      take(step.gang, i);
      return "";
    }
    return "a pod is lost that is not there";
  }

  std::int64_t gpus_of(std::size_t g) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : world_.gangs[g].roles) sum += role.pods * role.gpus_per_pod;
    return sum;
  }
  std::int64_t quota_of(std::size_t g) const {
    // Pools that this gang reaches share a quota with those that others join to them; a sum over all is never too small.
    std::int64_t sum = 0;
    bool any = false;
    for (const WorldPool& pool : world_.pools) {
      if (!pool.quota.is_set() || (world_.gangs[g].pool != pool.name.value && world_.pools.size() > 1 && !reaches(g, pool.name.value))) continue;
      sum += pool.quota.value;
      any = true;
    }
    return any ? sum : kUnlimited;
  }
  bool reaches(std::size_t g, const std::string& pool) const {
    return std::ranges::any_of(world_.gangs[g].roles, [&](const WorldRole& role) { return role.pool == pool; });
  }

  std::string admit(std::size_t g) const {
    if (world_.gangs[g].mechanism != Mechanism::Quota || gangs_[g].held() > 0) return "";
    std::int64_t sum = gpus_of(g);
    for (std::size_t other = 0; other < gangs_.size(); ++other) {
      if (gangs_[other].held() == 0 || world_.gangs[other].mechanism != Mechanism::Quota || world_.gangs[other].pool != world_.gangs[g].pool) continue;
      sum += gpus_of(other);
      const auto pool = std::ranges::find_if(world_.pools, [&](const WorldPool& p) { return p.name.value == world_.gangs[g].pool; });
      if (pool != world_.pools.end() && pool->serial.is_set() && pool->serial.value && gangs_[other].held() < gangs_[other].needs) {
        return "a gang is admitted before the one before it is complete";
      }
    }
    return sum > quota_of(g) ? "more is admitted than the quota has" : "";
  }

  std::string commit(const std::vector<ProofStep>& steps) {
    const std::size_t g = steps.front().gang;
    PlainGang& gang = gangs_[g];
    if (std::string wrong = by_rules_ ? admit(g) : ""; !wrong.empty()) return wrong;
    std::int64_t pods = 0;
    for (const ProofStep& step : steps) pods += step.pods;
    const Mechanism mechanism = world_.gangs[g].mechanism;
    const bool is_atomic = by_rules_ && (mechanism == Mechanism::Atomic || mechanism == Mechanism::OrderedAtomic);
    if (is_atomic && gang.held() < gang.together && pods != gang.together - gang.held()) return "a part of a commit";
    const bool first = is_atomic && gang.held() < gang.together;
    for (const ProofStep& step : steps) {
      const std::size_t n = first_[step.pool] + static_cast<std::size_t>(step.node);
      for (std::int64_t i = 0; i < step.pods; ++i) {
        if (!fits(g, step.role, nodes_[n])) return "a pod is placed where it does not fit";
        put(g, step.role, n);
      }
    }
    for (std::size_t r = 0; first && r < gang.placed.size(); ++r) {
      const WorldRole& role = world_.gangs[g].roles[r];
      if (asks_for_something(role) && gang.placed[r] < std::min(role.guaranteed, role.pods)) return "a commit without the pods it guarantees of a role";
    }
    if (mechanism == Mechanism::HoldAndRelease || mechanism == Mechanism::Quota) {
      gang.was_bound = gang.was_bound || gang.held() >= until(g);
    }
    return "";
  }

  /// Pods from which on nothing is given back.
  std::int64_t until(std::size_t g) const {
    const WorldGang& gang = world_.gangs[g];
    if (gang.mechanism == Mechanism::Quota) return gangs_[g].needs;
    std::int64_t idle = 0;
    for (const WorldRole& role : gang.roles) idle += asks_for_something(role) ? 0 : role.pods;
    const std::int64_t written = gang.guaranteed.is_set() ? gang.guaranteed.value - idle : 1;
    return std::max<std::int64_t>(1, std::min(written, gangs_[g].needs));
  }

  bool gives_back(std::size_t g) const {
    const WorldGang& gang = world_.gangs[g];
    const bool by_time = (gang.mechanism == Mechanism::HoldAndRelease || gang.mechanism == Mechanism::Quota) && gang.timeout_seconds.has_value();
    return by_time && !gangs_[g].was_bound && gangs_[g].held() < until(g);
  }

  bool can_go_on(std::size_t g) const {
    if (can_place(g)) return true;
    if (!world_.gangs[g].preempts) return false;
    Simulator without = *this;
    for (std::size_t other = 0; other < gangs_.size(); ++other) {
      if (world_.gangs[other].priority >= world_.gangs[g].priority) continue;
      while (!without.gangs_[other].pods.empty()) without.take(other, 0);
    }
    return without.can_place(g);
  }

  /// The next pod, or, short of the guaranteed ones, all of those that are missing.
  bool can_place(std::size_t g) const {
    const PlainGang& gang = gangs_[g];
    const std::int64_t wanted = gang.held() < gang.together ? gang.together - gang.held() : 1;
    if (wanted == 1) {
      for (std::size_t r = 0; r < gang.placed.size(); ++r) {
        if (!asks_for_something(world_.gangs[g].roles[r])) continue;
        if (std::ranges::any_of(nodes_, [&](const PlainNode& node) { return fits(g, r, node); })) return true;
      }
      return false;
    }
    Simulator copy = *this;
    return copy.place_some(g, wanted, 0);
  }

  bool place_some(std::size_t g, std::int64_t wanted, std::size_t from) {
    if (wanted == 0) return true;
    for (std::size_t n = from; n < nodes_.size(); ++n) {
      for (std::size_t r = 0; r < gangs_[g].placed.size(); ++r) {
        if (!asks_for_something(world_.gangs[g].roles[r]) || !fits(g, r, nodes_[n])) continue;
        put(g, r, n);
        const bool all = place_some(g, wanted - 1, n);
        take(g, gangs_[g].pods.size() - 1);
        if (all) return true;
      }
    }
    return false;
  }

  bool components_starve(std::size_t g) const {
    const PlainGang& gang = gangs_[g];
    std::size_t r = 0;
    while (r < gang.placed.size() && (gang.placed[r] == world_.gangs[g].roles[r].pods || !asks_for_something(world_.gangs[g].roles[r]))) ++r;
    if (r == 0 || r == gang.placed.size() || gang.placed[r] != 0) return false;
    return room_for(g, r) < world_.gangs[g].roles[r].pods;
  }

  std::int64_t room_on(std::size_t g, const WorldRole& role, const PlainNode& node) const {
    std::int64_t here = world_.gangs[g].one_per_node ? 1 : kUnlimited;
    if (role.gpus_per_pod > 0) here = std::min(here, node.gpus / role.gpus_per_pod);
    if (role.milli_cpus_per_pod > 0) here = std::min(here, node.cpus / role.milli_cpus_per_pod);
    if (role.memory_mib_per_pod > 0) here = std::min(here, node.memory / role.memory_mib_per_pod);
    return here;
  }

  std::int64_t room_for(std::size_t g, std::size_t r) const {
    const WorldRole& role = world_.gangs[g].roles[r];
    std::int64_t room = 0;
    for (const PlainNode& node : nodes_) {
      if (!fits(g, r, node)) continue;
      room += room_on(g, role, node);
    }
    return room;
  }

  /// Whether all pods of these gangs have a place. Sums first, so that large pools cost little.
  bool alone_fits(const std::vector<std::size_t>& gangs) {
    std::int64_t wanted = 0;
    std::int64_t free = 0;
    for (const std::size_t g : gangs) {
      for (std::size_t r = 0; r < world_.gangs[g].roles.size(); ++r) {
        if (!asks_for_something(world_.gangs[g].roles[r])) continue;
        if (room_in_best_domain(g, r) < world_.gangs[g].roles[r].pods || whole_roles(g, r) < roles_like(g, r)) return false;
      }
      wanted += gpus_of(g);
    }
    for (const PlainNode& node : nodes_) {
      if (std::ranges::any_of(gangs, [&](std::size_t g) { return may_stand_on(g, node); })) free += node.gpus;
    }
    if (wanted > free) return false;
    tries_ = 0;
    return place_all(gangs, 0, 0);
  }

  bool may_stand_on(std::size_t g, const PlainNode& node) const {
    for (std::size_t r = 0; r < world_.gangs[g].roles.size(); ++r) {
      if (asks_for_something(world_.gangs[g].roles[r]) && fits(g, r, node)) return true;
    }
    return false;
  }

  std::map<std::string, std::int64_t> rooms_by_domain(std::size_t g, std::size_t r, const std::string& level) const {
    std::map<std::string, std::int64_t> rooms;
    for (const PlainNode& node : nodes_) {
      if (fits(g, r, node)) rooms[node.kind->domains.at(level)] += room_on(g, world_.gangs[g].roles[r], node);
    }
    return rooms;
  }

  std::int64_t room_in_best_domain(std::size_t g, std::size_t r) const {
    const WorldRole& role = world_.gangs[g].roles[r];
    const std::string& level = role.domain.empty() ? world_.gangs[g].domain : role.domain;
    if (level.empty()) return room_for(g, r);
    std::int64_t best = 0;
    for (const auto& [domain, room] : rooms_by_domain(g, r, level)) best = std::max(best, room);
    return best;
  }

  /// Roles of this sort that the domains take whole, each in one of them.
  std::int64_t whole_roles(std::size_t g, std::size_t r) const {
    const WorldRole& role = world_.gangs[g].roles[r];
    if (role.domain.empty() || role.pods == 0) return kUnlimited;
    std::int64_t whole = 0;
    for (const auto& [domain, room] : rooms_by_domain(g, r, role.domain)) whole += room / role.pods;
    return whole;
  }

  std::int64_t roles_like(std::size_t g, std::size_t r) const {
    const WorldRole& role = world_.gangs[g].roles[r];
    return std::ranges::count_if(world_.gangs[g].roles, [&](const WorldRole& other) {
      return other.domain == role.domain && other.pods == role.pods && other.gpus_per_pod == role.gpus_per_pod && other.pool == role.pool &&
             other.milli_cpus_per_pod == role.milli_cpus_per_pod && other.memory_mib_per_pod == role.memory_mib_per_pod && other.selector == role.selector;
    });
  }

  bool place_all(const std::vector<std::size_t>& gangs, std::size_t i, std::size_t from) {
    while (i < gangs.size() && gangs_[gangs[i]].held() == gangs_[gangs[i]].needs) {
      ++i;
      from = 0;
    }
    if (i == gangs.size() || ++tries_ > kMostTries) return true;  // not shown to be impossible
    const std::size_t g = gangs[i];
    std::size_t r = 0;
    while (gangs_[g].placed[r] == world_.gangs[g].roles[r].pods || !asks_for_something(world_.gangs[g].roles[r])) ++r;
    if (gangs_[g].placed[r] == 0) from = 0;
    for (std::size_t n = from; n < nodes_.size(); ++n) {
      if (!fits(g, r, nodes_[n])) continue;
      put(g, r, n);
      const bool all = place_all(gangs, i, n);
      take(g, gangs_[g].pods.size() - 1);
      if (all) return true;
    }
    return false;
  }

  static constexpr std::int64_t kMostTries = 2'000'000;
  const World& world_;
  bool by_rules_;
  std::vector<PlainNode> nodes_;
  std::vector<std::size_t> first_;  ///< node of each pool
  std::vector<PlainGang> gangs_;
  std::int64_t tries_ = 0;
};

}  // namespace

std::string replay(const World& world, Property property, const ProofCounterexample& counterexample, std::int64_t faults) {
  if (counterexample.holds.empty()) return "nobody holds anything";
  Simulator simulator(world, property != Property::Placeable && property != Property::QuotaConsistent);
  if (std::string wrong = simulator.play(counterexample, faults); !wrong.empty()) return wrong;
  if (property == Property::Placeable) return simulator.judge_placeable(counterexample.holds.front().gang);
  if (property == Property::QuotaConsistent) return simulator.judge_quota(counterexample);
  return simulator.judge(property);
}

}  // namespace muster
