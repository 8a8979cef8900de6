// Components of a heterogeneous job that take the nodes that stand first, against playing it node by node.
#include <iostream>
#include <random>
#include <set>

#include "prove/prove.h"
#include "support/catch.h"

using namespace muster;

namespace {

/// Nodes of one size in one pool, some with the label of a partition; components that go everywhere, or there.
World random_components(std::mt19937& dice, NodesTaken takes) {
  const auto below = [&](int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); };
  World world;
  WorldPool pool;
  pool.name = set_to(std::string("p"), {});
  for (int n = 2 + below(5); n > 0; --n) {
    WorldNodes nodes;
    nodes.count = 1 + below(2);
    nodes.gpus = below(8) == 0 ? 0 : 4;
    for (const char* label : {"a", "b"}) {
      if (nodes.gpus > 0 && below(2) == 0) nodes.labels[label] = "y";
    }
    if (nodes.gpus > 0) nodes.labels["gpu"] = "y";
    pool.nodes.push_back(nodes);
  }
  world.pools.push_back(pool);
  WorldGang gang;
  gang.name = set_to(std::string("job"), {});
  gang.pool = "p";
  gang.mechanism = Mechanism::OrderedAtomic;
  gang.one_per_node = true;
  gang.takes = takes;
  for (int r = 2 + below(2); r > 0; --r) {
    WorldRole role;
    role.pods = 1 + below(3);
    role.gpus_per_pod = 2 + below(3);
    constexpr const char* kLabels[] = {"gpu", "a", "b"};
    role.selector[kLabels[below(3)]] = "y";
    gang.roles.push_back(role);
  }
  world.gangs.push_back(gang);
  return world;
}

/// Nodes one by one.
struct Play {
  explicit Play(const World& world) : world_(world) {
    for (const WorldNodes& nodes : world.pools[0].nodes)
      nodes_.insert(nodes_.end(), static_cast<std::size_t>(nodes.count), &nodes);
  }

  std::vector<std::size_t> free_for(const WorldRole& role, const std::set<std::size_t>& taken) const {
    std::vector<std::size_t> out;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const auto label = nodes_[n]->labels.find(role.selector.begin()->first);
      if (label != nodes_[n]->labels.end() && nodes_[n]->gpus >= role.gpus_per_pod && !taken.contains(n))
        out.push_back(n);
    }
    return out;
  }

  /// Some way, and every way, to choose nodes lets all components start.
  void try_all(std::size_t r, std::set<std::size_t> taken, bool& some, bool& every) const {
    if (r == world_.gangs[0].roles.size()) {
      some = true;
      return;
    }
    const std::vector<std::size_t> free = free_for(world_.gangs[0].roles[r], taken);
    const std::size_t wanted = static_cast<std::size_t>(world_.gangs[0].roles[r].pods);
    if (free.size() < wanted) {
      every = false;
      return;
    }
    for (std::size_t set = 0; set < (std::size_t{1} << free.size()); ++set) {
      std::set<std::size_t> more = taken;
      std::size_t count = 0;
      for (std::size_t i = 0; i < free.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        more.insert(free[i]);
        ++count;
      }
      if (count == wanted) try_all(r + 1, std::move(more), some, every);
    }
  }

  /// Nothing where the first nodes are not what decides.
  std::optional<bool> take_first() const {
    std::set<std::size_t> taken;
    for (const WorldRole& role : world_.gangs[0].roles) {
      const std::vector<std::size_t> free = free_for(role, taken);
      const std::size_t wanted = static_cast<std::size_t>(role.pods);
      if (free.size() < wanted) return false;
      for (std::size_t i = 1; i < free.size() && free.size() > wanted; ++i) {
        if (free[i] != free[i - 1] + 1) return std::nullopt;
      }
      taken.insert(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(wanted));
    }
    return true;
  }

  const World& world_;
  std::vector<const WorldNodes*> nodes_;
};

}  // namespace

TEST_CASE("components that take the first nodes are judged as playing it node by node does", "[prove]") {
  std::mt19937 dice(22);
  int holds = 0;
  int starves = 0;
  int open = 0;
  int saved = 0;  // where an adversary would have starved it
  for (int i = 0; i < 3000; ++i) {
    const NodesTaken takes = i % 4 == 0 ? NodesTaken::Any : i % 4 == 1 ? NodesTaken::Unsaid : NodesTaken::First;
    const World world = random_components(dice, takes);
    const Play play(world);
    bool some = false;
    bool every = true;
    play.try_all(0, {}, some, every);
    const ProofResult result = prove_world(world, {Property::Placeable}, {}).front();
    INFO("world " << i << ", takes " << name_of(takes) << ": " << result.reason);
    if (result.counterexample) CHECK(replay(world, Property::Placeable, *result.counterexample, 0).empty());
    if (result.verdict == Verdict::Holds) CHECK(result.certificate.checked);
    const std::optional<bool> first = play.take_first();
    if (result.verdict == Verdict::Unknown) {
      // The bound for every way is no exact one.
      CHECK((takes == NodesTaken::First ? !first.has_value() : some));
      ++open;
      continue;
    }
    const bool starts = result.verdict == Verdict::Holds;
    if (takes == NodesTaken::First && first) {
      CHECK(starts == *first);
    } else if (takes == NodesTaken::Any) {
      CHECK(starts == (some && every));
    } else {
      CHECK((starts ? every : !some));
    }
    holds += starts ? 1 : 0;
    starves += starts ? 0 : 1;
    saved += starts && !every ? 1 : 0;
  }
  std::cout << holds << " jobs start, " << starves << " never do, " << open << " unknown\n";
  CHECK(holds > 300);
  CHECK(starves > 300);
  CHECK(saved > 20);
}
