#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/world.h"
#include "prove/prove.h"

namespace muster {

/// Single nodes with single pods on them, for replay(). It shares nothing with the engines, so that a mistake of theirs
/// does not pass there as well.
class PlainNodes {
 public:
  explicit PlainNodes(const World& world) : world_(world) {
    for (std::size_t p = 0; p < world.pools.size(); ++p) {
      first_.push_back(nodes_.size());
      for (const WorldNodes& kind : world.pools[p].nodes) {
        for (std::int64_t i = 0; i < kind.count; ++i) {
          nodes_.push_back(
              {p, &kind, kind.gpus, kind.milli_cpus.value_or(kUnlimited), kind.memory.value_or(kUnlimited)});
        }
      }
    }
    first_.push_back(nodes_.size());
    for (const WorldGang& gang : world.gangs) {
      Gang plain;
      plain.placed.resize(gang.roles.size());
      std::int64_t idle = 0;
      std::int64_t least = 0;
      for (const WorldRole& role : gang.roles) {
        (asks_for_something(role) ? plain.needs : idle) += role.pods;
        if (asks_for_something(role)) least += std::min(role.guaranteed, role.pods);
      }
      if (gang.mechanism == Mechanism::OrderedAtomic) plain.together = plain.needs;
      if (gang.mechanism == Mechanism::Atomic && gang.guaranteed.is_set())
        plain.together = std::max(gang.guaranteed.value - idle, least);
      if (gang.mechanism == Mechanism::HoldAndRelease) {
        const std::int64_t wanted = gang.guaranteed.is_set() ? gang.guaranteed.value - idle : 1;
        plain.together = std::min(gang.at_once - idle, wanted);
      }
      plain.together = std::max<std::int64_t>(1, std::min(plain.together, plain.needs));
      gangs_.push_back(std::move(plain));
    }
  }

 protected:
  struct Node {
    std::size_t pool = 0;
    const WorldNodes* kind = nullptr;
    std::int64_t gpus = 0;
    std::int64_t cpus = 0;
    std::int64_t memory = 0;
  };
  struct Gang {
    std::vector<std::int64_t> placed;                       ///< by role
    std::vector<std::pair<std::size_t, std::size_t>> pods;  ///< role and node of each
    std::int64_t needs = 0;                                 ///< pods that need anything
    std::int64_t together = 1;                              ///< pods of the first commit
    bool settled = false;                                   ///< had once what its mechanism waits for

    std::int64_t held() const { return static_cast<std::int64_t>(pods.size()); }
    bool whole() const { return held() == needs; }
  };
  static constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
  static constexpr std::int64_t kMostWork = 100'000'000;
  static constexpr std::int64_t kMostTries = 2'000'000;
  static constexpr std::int64_t kMostDepth = 20'000;

  static bool asks_for_something(const WorldRole& role) {
    return role.gpus_per_pod > 0 || role.milli_cpus_per_pod > 0 || role.memory_per_pod > 0;
  }

  void clear() {
    for (Node& node : nodes_) {
      node.gpus = node.kind->gpus;
      node.cpus = node.kind->milli_cpus.value_or(kUnlimited);
      node.memory = node.kind->memory.value_or(kUnlimited);
    }
    for (Gang& gang : gangs_) {
      std::ranges::fill(gang.placed, 0);
      gang.pods.clear();
      gang.settled = false;
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

  bool fits(std::size_t g, std::size_t r, const Node& node) const {
    const WorldGang& gang = world_.gangs[g];
    const WorldRole& role = gang.roles[r];
    --work_;
    if (gangs_[g].placed[r] >= role.pods || node.pool != pool_of(g, r)) return false;
    if (node.gpus < role.gpus_per_pod || node.cpus < role.milli_cpus_per_pod || node.memory < role.memory_per_pod)
      return false;
    for (const auto& [key, value] : role.selector) {
      const auto label = node.kind->labels.find(key);
      if (label == node.kind->labels.end() || label->second != value) return false;
    }
    if (gang.one_per_node && stands_on(g, node)) return false;
    return stands_with(g, gang.domain, std::nullopt, node) && stands_with(g, role.domain, r, node) &&
           std::ranges::all_of(role.within, [&](const auto& set) { return joins(g, set.first, set.second, node); });
  }

  /// Whether the node is in the domain of those pods that have a place and whose roles name the same set of the level.
  bool joins(std::size_t g, const std::string& level, const std::string& set, const Node& node) const {
    const auto own = node.kind->domains.find(level);
    if (own == node.kind->domains.end()) return false;
    return std::ranges::all_of(gangs_[g].pods, [&](const auto& pod) {
      const auto named = world_.gangs[g].roles[pod.first].within.find(level);
      return named == world_.gangs[g].roles[pod.first].within.end() || named->second != set ||
             nodes_[pod.second].kind->domains.at(level) == own->second;
    });
  }

  /// Whether the node is in the domain of those pods of the gang, or of one role of it, that have a place.
  bool stands_with(std::size_t g, const std::string& level, std::optional<std::size_t> role, const Node& node) const {
    if (level.empty()) return true;
    const auto own = node.kind->domains.find(level);
    if (own == node.kind->domains.end()) return false;
    return std::ranges::all_of(gangs_[g].pods, [&](const auto& pod) {
      return (role && pod.first != *role) || nodes_[pod.second].kind->domains.at(level) == own->second;
    });
  }

  bool stands_on(std::size_t g, const Node& node) const {
    return std::ranges::any_of(gangs_[g].pods, [&](const auto& pod) { return &nodes_[pod.second] == &node; });
  }

  void put(std::size_t g, std::size_t r, std::size_t n) {
    most_free_ = -1;
    const WorldRole& role = world_.gangs[g].roles[r];
    nodes_[n].gpus -= role.gpus_per_pod;
    nodes_[n].cpus -= role.milli_cpus_per_pod;
    nodes_[n].memory -= role.memory_per_pod;
    ++gangs_[g].placed[r];
    gangs_[g].pods.emplace_back(r, n);
  }

  void take(std::size_t g, std::size_t i) {
    most_free_ = -1;
    const auto [r, n] = gangs_[g].pods[i];
    const WorldRole& role = world_.gangs[g].roles[r];
    nodes_[n].gpus += role.gpus_per_pod;
    nodes_[n].cpus += role.milli_cpus_per_pod;
    nodes_[n].memory += role.memory_per_pod;
    --gangs_[g].placed[r];
    gangs_[g].pods.erase(gangs_[g].pods.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::int64_t gpus_of(std::size_t g) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : world_.gangs[g].roles) sum += role.pods * role.gpus_per_pod;
    return sum;
  }
  std::int64_t room_on(std::size_t g, const WorldRole& role, const Node& node) const {
    std::int64_t here = world_.gangs[g].one_per_node ? 1 : kUnlimited;
    if (role.gpus_per_pod > 0) here = std::min(here, node.gpus / role.gpus_per_pod);
    if (role.milli_cpus_per_pod > 0) here = std::min(here, node.cpus / role.milli_cpus_per_pod);
    if (role.memory_per_pod > 0) here = std::min(here, node.memory / role.memory_per_pod);
    return here;
  }

  std::int64_t room_for(std::size_t g, std::size_t r) const {
    const WorldRole& role = world_.gangs[g].roles[r];
    std::int64_t room = 0;
    for (const Node& node : nodes_) {
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
        if (room_in_best_domain(g, r) < world_.gangs[g].roles[r].pods || whole_roles(g, r) < roles_like(g, r))
          return false;
      }
      wanted += gpus_of(g);
    }
    for (const Node& node : nodes_) {
      if (std::ranges::any_of(gangs, [&](std::size_t g) { return may_stand_on(g, node); })) free += node.gpus;
    }
    if (wanted > free) return false;
    std::int64_t depth = 0;
    for (const std::size_t g : gangs) depth += gangs_[g].needs;
    if (depth > kMostDepth) return true;  // not shown to be impossible
    tries_ = 0;
    return place_all(gangs, 0, 0);
  }

  bool may_stand_on(std::size_t g, const Node& node) const {
    for (std::size_t r = 0; r < world_.gangs[g].roles.size(); ++r) {
      if (asks_for_something(world_.gangs[g].roles[r]) && fits(g, r, node)) return true;
    }
    return false;
  }

  std::map<std::string, std::int64_t> rooms_by_domain(std::size_t g, std::size_t r, const std::string& level) const {
    std::map<std::string, std::int64_t> rooms;
    for (const Node& node : nodes_) {
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
      return other.domain == role.domain && other.pods == role.pods && other.gpus_per_pod == role.gpus_per_pod &&
             other.pool == role.pool && other.milli_cpus_per_pod == role.milli_cpus_per_pod &&
             other.memory_per_pod == role.memory_per_pod && other.selector == role.selector &&
             other.within.empty() == role.within.empty();
    });
  }

  bool place_all(const std::vector<std::size_t>& gangs, std::size_t i, std::size_t from) {
    while (i < gangs.size() && gangs_[gangs[i]].held() == gangs_[gangs[i]].needs) {
      ++i;
      from = 0;
    }
    if (i == gangs.size() || ++tries_ > kMostTries || work_ <= 0) return true;  // not shown to be impossible
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

  const World& world_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> first_;  ///< node of each pool
  std::vector<Gang> gangs_;
  std::int64_t tries_ = 0;
  mutable std::int64_t work_ = kMostWork;
  mutable std::int64_t most_free_ = -1;  ///< accelerators of one node; -1: to be looked at
};

}  // namespace muster
