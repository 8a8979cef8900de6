#include "prove/node_worlds.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace muster {

World random_world(std::mt19937& dice, const NodeWorldSize& size) {
  const auto number = [&](int least, int most) {
    return least + static_cast<int>(dice() % static_cast<unsigned>(most - least + 1));
  };
  World world;
  WorldPool pool;
  pool.name = set_to(std::string("p"), {});
  for (int left = number(1, size.nodes); left > 0;) {
    WorldNodes nodes;
    nodes.count = number(1, std::max(1, std::min(left, size.nodes / 2)));
    left -= static_cast<int>(nodes.count);
    nodes.gpus = number(1, size.gpus);
    nodes.domains["leaf"] = number(0, 1) == 0 ? "x" : "y";
    pool.nodes.push_back(nodes);
  }
  const bool with_quota = number(0, 3) == 0;
  if (with_quota) pool.quota = set_to<std::int64_t>(number(2, size.gangs * size.pods), {});
  world.pools.push_back(pool);
  const int small = 1;
  const int large = number(1, std::max(1, size.gpus));
  const int mechanisms = number(0, 2);  // how wild the mix is
  const bool with_domains = number(0, 4) < 2;
  const int gangs = number(std::min(2, size.gangs), size.gangs);
  for (int g = 0; g < gangs; ++g) {
    WorldGang gang;
    gang.name = set_to("g" + std::to_string(g), {});
    gang.pool = "p";
    WorldRole role;
    role.pods = number(1, size.pods);
    role.gpus_per_pod = number(0, 1) == 0 ? small : large;
    gang.roles.push_back(role);
    const int which = mechanisms == 0 ? 0 : number(0, 3);
    if (which == 1) gang.mechanism = Mechanism::Atomic;
    if (which == 2) gang.mechanism = Mechanism::HoldAndRelease;
    if (which == 3) gang.mechanism = with_quota ? Mechanism::Quota : Mechanism::PerPod;
    gang.guaranteed = set_to<std::int64_t>(number(1, static_cast<int>(role.pods)), {});
    if (number(0, 1) == 0) gang.timeout_seconds = 60;
    // Of a gang of one role it is the same who says so.
    if (with_domains && number(0, 2) != 0) (number(0, 1) == 0 ? gang.domain : gang.roles[0].domain) = "leaf";
    gang.coupled = number(0, 5) != 0;
    world.gangs.push_back(gang);
  }
  return world;
}

namespace {

bool is_tied(const WorldGang& gang) { return !gang.domain.empty() || !gang.roles[0].domain.empty(); }

/// Pods of each gang on each node.
using Now = std::vector<std::vector<int>>;

class Trying {
 public:
  explicit Trying(const World& world) : world_(world) {
    for (const WorldNodes& kind : world.pools[0].nodes) {
      for (std::int64_t i = 0; i < kind.count; ++i) nodes_.push_back(&kind);
    }
  }

  std::optional<NodeTruth> run(std::int64_t most) {
    NodeTruth truth;
    std::vector<Now> todo{Now(world_.gangs.size(), std::vector<int>(nodes_.size()))};
    std::set<Now> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
      const Now now = todo.back();
      todo.pop_back();
      look(now, truth);
      for (const Now& next : next_of(now)) {
        if (seen.insert(next).second) todo.push_back(next);
      }
      if (static_cast<std::int64_t>(seen.size()) > most) return std::nullopt;
    }
    truth.states = static_cast<std::int64_t>(seen.size());
    return truth;
  }

 private:
  std::int64_t pods(std::size_t g) const { return world_.gangs[g].roles[0].pods; }
  std::int64_t held(const Now& now, std::size_t g) const {
    std::int64_t sum = 0;
    for (const int n : now[g]) sum += n;
    return sum;
  }
  std::int64_t together(std::size_t g) const {
    return world_.gangs[g].mechanism == Mechanism::Atomic ? world_.gangs[g].guaranteed.value : 1;
  }

  bool fits(const Now& now, std::size_t g, std::size_t n) const {
    std::int64_t used = 0;
    for (std::size_t other = 0; other < now.size(); ++other)
      used += now[other][n] * world_.gangs[other].roles[0].gpus_per_pod;
    if (used + world_.gangs[g].roles[0].gpus_per_pod > nodes_[n]->gpus || held(now, g) == pods(g)) return false;
    if (!is_tied(world_.gangs[g])) return true;
    for (std::size_t m = 0; m < nodes_.size(); ++m) {
      if (now[g][m] > 0 && nodes_[m]->domains.at("leaf") != nodes_[n]->domains.at("leaf")) return false;
    }
    return true;
  }

  bool admits(const Now& now, std::size_t g) const {
    if (world_.gangs[g].mechanism != Mechanism::Quota || held(now, g) > 0 || !world_.pools[0].quota.is_set())
      return true;
    std::int64_t sum = 0;
    for (std::size_t other = 0; other < now.size(); ++other) {
      if (other == g || (world_.gangs[other].mechanism == Mechanism::Quota && held(now, other) > 0))
        sum += pods(other) * world_.gangs[other].roles[0].gpus_per_pod;
    }
    return sum <= world_.pools[0].quota.value;
  }

  /// All ways to add so many pods of a gang.
  std::set<Now> adding(const Now& now, std::size_t g, std::int64_t count) const {
    std::set<Now> front{now};
    for (std::int64_t i = 0; i < count; ++i) {
      std::set<Now> next;
      for (const Now& state : front) {
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
          if (!fits(state, g, n)) continue;
          Now more = state;
          ++more[g][n];
          next.insert(more);
        }
      }
      front = next;
    }
    return front;
  }
  std::set<Now> placements(const Now& now, std::size_t g) const {
    if (held(now, g) == pods(g) || !admits(now, g)) return {};
    const bool first = held(now, g) < together(g) && (world_.gangs[g].coupled || held(now, g) == 0);
    return adding(now, g, first ? together(g) - held(now, g) : 1);
  }
  bool gives_back(const Now& now, std::size_t g) const {
    const WorldGang& gang = world_.gangs[g];
    if (!gang.timeout_seconds || held(now, g) == 0 || held(now, g) == pods(g)) return false;
    if (gang.mechanism == Mechanism::HoldAndRelease) return held(now, g) < gang.guaranteed.value;
    return gang.mechanism == Mechanism::Quota;
  }

  std::vector<Now> next_of(const Now& now) const {
    std::vector<Now> out;
    for (std::size_t g = 0; g < now.size(); ++g) {
      const std::set<Now> placed = placements(now, g);
      out.insert(out.end(), placed.begin(), placed.end());
      for (std::size_t n = 0; !world_.gangs[g].coupled && n < nodes_.size(); ++n) {
        if (now[g][n] == 0) continue;
        out.push_back(now);  // a pod that works alone finishes
        --out.back()[g][n];
      }
      if (held(now, g) == pods(g) || (placed.empty() && gives_back(now, g))) {
        Now gone = now;
        std::ranges::fill(gone[g], 0);
        out.push_back(gone);
      }
    }
    return out;
  }

  void look(const Now& now, NodeTruth& truth) const {
    bool any = false;
    bool moves = false;
    bool gives = false;
    for (std::size_t g = 0; g < now.size(); ++g) {
      if (held(now, g) == 0) continue;
      any = true;
      const bool stuck = held(now, g) < pods(g) && placements(now, g).empty();
      if (!stuck || !world_.gangs[g].coupled) moves = true;
      if (stuck && world_.gangs[g].coupled) truth.all_or_nothing = false;
      gives = gives || gives_back(now, g);
    }
    if (any && !moves && !gives) truth.no_deadlock = false;
    if (any && !moves && gives) truth.no_livelock = false;
  }

  const World& world_;
  std::vector<const WorldNodes*> nodes_;
};

}  // namespace

std::optional<NodeTruth> try_every_node(const World& world, std::int64_t most) { return Trying(world).run(most); }

namespace {}  // namespace

}  // namespace muster
