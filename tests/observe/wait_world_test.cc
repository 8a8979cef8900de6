// Who is stuck and the smallest eviction, against a plain search that knows nothing of orders, slots or sums.
#include "observe/wait_world.h"

#include <algorithm>
#include <random>

#include "support/catch.h"

using namespace muster;

namespace {

constexpr std::int64_t kPlenty = 1'000'000'000;

/// One pod that waits: what it asks for, and the nodes that may take it.
struct PlainPod {
  Amounts each;
  std::vector<std::uint32_t> nodes;
};

/// Every way to give each pod a node.
bool place_all(const std::vector<PlainPod>& pods, std::size_t next, std::vector<Amounts>& free) {
  if (next == pods.size()) return true;
  for (const std::uint32_t node : pods[next].nodes) {
    bool fits = true;
    for (std::size_t r = 0; r < free[node].size(); ++r) fits = fits && pods[next].each[r] <= free[node][r];
    if (!fits) continue;
    for (std::size_t r = 0; r < free[node].size(); ++r) free[node][r] -= pods[next].each[r];
    const bool all = place_all(pods, next + 1, free);
    for (std::size_t r = 0; r < free[node].size(); ++r) free[node][r] += pods[next].each[r];
    if (all) return true;
  }
  return false;
}

bool can_go_on(const WaitWorld& world, std::size_t gang, std::vector<Amounts> free) {
  std::vector<PlainPod> pods;
  for (const WaitDemand& demand : world.gangs[gang].wants) {
    for (std::int64_t i = 0; i < demand.pods; ++i) pods.push_back({demand.each, world.choices[demand.nodes]});
  }
  return place_all(pods, 0, free);
}

/// The free amounts once these gangs are gone.
std::vector<Amounts> free_without(const WaitWorld& world, unsigned gone) {
  std::vector<Amounts> free = world.free;
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    if ((gone >> g & 1u) == 0) continue;
    for (const WaitHold& hold : world.gangs[g].holds) {
      for (std::size_t r = 0; r < hold.amounts.size(); ++r) free[hold.node][r] += hold.amounts[r];
    }
  }
  return free;
}

/// All sets of gangs that can be gone when those of `gone` are, by every order in which they can go on.
void reach(const WaitWorld& world, unsigned gone, std::vector<char>& seen) {
  if (seen[gone] != 0) return;
  seen[gone] = 1;
  const std::vector<Amounts> free = free_without(world, gone);
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    if ((gone >> g & 1u) == 0 && can_go_on(world, g, free)) reach(world, gone | 1u << g, seen);
  }
}

/// Gangs that go on in no order.
std::vector<std::size_t> stuck_of(const WaitWorld& world, unsigned evicted) {
  std::vector<char> seen(std::size_t{1} << world.gangs.size(), 0);
  reach(world, evicted, seen);
  unsigned ever = evicted;
  for (unsigned gone = 0; gone < seen.size(); ++gone) ever |= seen[gone] != 0 ? gone : 0u;
  std::vector<std::size_t> out;
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    if ((ever >> g & 1u) == 0) out.push_back(g);
  }
  return out;
}

WaitWorld random_world(std::mt19937& random, std::size_t most_gangs) {
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  WaitWorld world;
  const std::size_t nodes = 1 + random() % 3;
  const std::size_t resources = 1 + random() % 2;
  for (std::size_t n = 0; n < nodes; ++n) {
    Amounts& free = world.free.emplace_back();
    for (std::size_t r = 0; r < resources; ++r) free.push_back(below(4) == 0 ? below(3) : r == 0 ? 0 : below(5));
  }
  const std::size_t gangs = 1 + random() % most_gangs;
  for (std::size_t g = 0; g < gangs; ++g) {
    WaitGang& gang = world.gangs.emplace_back();
    for (std::size_t n = 0; n < nodes; ++n) {
      Amounts amounts;
      for (std::size_t r = 0; r < resources; ++r) amounts.push_back(below(4));
      gang.gpus += amounts[0];
      if (below(3) != 0)
        gang.holds.push_back({n, amounts});
      else
        gang.gpus -= amounts[0];
    }
    for (std::int64_t kinds = 1 + below(2); kinds > 0; --kinds) {
      std::vector<std::uint32_t> choice;
      for (std::uint32_t n = 0; n < nodes; ++n) {
        if (below(4) != 0) choice.push_back(n);
      }
      Amounts each;
      for (std::size_t r = 0; r < resources; ++r) each.push_back(below(4));
      world.choices.push_back(choice);
      gang.wants.push_back({each, 1 + below(2), world.choices.size() - 1});
    }
  }
  return world;
}

std::string shown(const WaitWorld& world) {
  std::string out;
  const auto amounts = [](const Amounts& list) {
    std::string text;
    for (const std::int64_t amount : list) text += std::to_string(amount) + " ";
    return text;
  };
  for (const Amounts& free : world.free) out += "free " + amounts(free) + "\n";
  for (const WaitGang& gang : world.gangs) {
    out += "gang";
    for (const WaitHold& hold : gang.holds)
      out += " holds " + amounts(hold.amounts) + "on " + std::to_string(hold.node);
    for (const WaitDemand& demand : gang.wants) {
      out += " wants " + std::to_string(demand.pods) + " of " + amounts(demand.each) + "on";
      for (const std::uint32_t node : world.choices[demand.nodes]) out += " " + std::to_string(node);
    }
    out += "\n";
  }
  return out;
}

/// Each gang holds all of a node of its own and waits for another one's or two.
WaitWorld sparse_world(std::mt19937& random) {
  WaitWorld world;
  const std::size_t gangs = 3 + random() % 2;
  for (std::size_t g = 0; g < gangs; ++g) {
    world.free.push_back({0});
    world.choices.push_back({static_cast<std::uint32_t>(random() % gangs)});
    if (random() % 4 == 0) world.choices.back().push_back(static_cast<std::uint32_t>(random() % gangs));
    world.gangs.push_back({{{g, {1}}}, {{{1}, 1, g}}, 1});
  }
  return world;
}

/// Gangs in a row on one node: each holds 1, waits for `want` more, and nothing is free.
WaitWorld row_of(std::size_t gangs, std::int64_t want) {
  WaitWorld world;
  world.free = {{0}};
  world.choices = {{0}};
  for (std::size_t g = 0; g < gangs; ++g) world.gangs.push_back({{{0, {1}}}, {{{1}, want, 0}}, 1});
  return world;
}

/// Whether a waits for something of b: on a node it may use, of something that lacks there.
bool plain_edge(const WaitWorld& world, std::size_t a, std::size_t b) {
  for (const WaitDemand& demand : world.gangs[a].wants) {
    for (const std::uint32_t node : world.choices[demand.nodes]) {
      for (const WaitHold& hold : world.gangs[b].holds) {
        for (std::size_t r = 0; r < demand.each.size(); ++r) {
          if (hold.node == node && hold.amounts[r] > 0 && demand.each[r] > world.free[node][r]) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("who is stuck and the smallest eviction are those of a search through all orders and sets", "[observe]") {
  std::mt19937 random(20);
  std::size_t worlds_stuck = 0;
  std::size_t of_two = 0;
  for (int round = 0; round < 3000; ++round) {
    const WaitWorld world = random_world(random, 5);
    INFO(shown(world));
    std::int64_t budget = kPlenty;
    const WaitOutcome outcome = progress_of(world, std::vector<char>(world.gangs.size(), 0), budget);
    REQUIRE_FALSE(outcome.gave_up);
    REQUIRE(outcome.stuck == stuck_of(world, 0));
    std::size_t fewest = world.gangs.size() + 1;
    std::int64_t least = 0;
    for (unsigned set = 0; set < 1u << world.gangs.size(); ++set) {
      if (!stuck_of(world, set).empty()) continue;
      std::int64_t gpus = 0;
      for (std::size_t g = 0; g < world.gangs.size(); ++g) gpus += (set >> g & 1u) != 0 ? world.gangs[g].gpus : 0;
      const auto size = static_cast<std::size_t>(__builtin_popcount(set));
      if (size < fewest || (size == fewest && gpus < least)) fewest = size, least = gpus;
    }
    const Eviction eviction = smallest_eviction(world, kPlenty);
    REQUIRE(eviction.method == Eviction::Method::Exact);
    REQUIRE(eviction.gangs.size() == fewest);
    REQUIRE(eviction.gpus == least);
    unsigned chosen = 0;
    for (const std::size_t g : eviction.gangs) chosen |= 1u << g;
    REQUIRE(stuck_of(world, chosen).empty());
    worlds_stuck += outcome.stuck.empty() ? 0 : 1;
    of_two += eviction.gangs.size() >= 2 ? 1 : 0;
  }
  CHECK(worlds_stuck > 500);
  CHECK(of_two > 100);
}

TEST_CASE("above the bound the eviction is called greedy, does, and none of its gangs can be left out", "[observe]") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    WaitWorld world = row_of(kMostForExact + 2, 3);
    for (WaitGang& gang : world.gangs)
      gang.holds[0].amounts[0] = gang.gpus = 1 + static_cast<std::int64_t>(random() % 3);
    const Eviction eviction = smallest_eviction(world, kPlenty);
    CHECK(eviction.method == Eviction::Method::Greedy);
    unsigned chosen = 0;
    for (const std::size_t g : eviction.gangs) chosen |= 1u << g;
    // With one resource on one node an order is found by taking whoever can go on: what is free only grows.
    const auto all_go_on = [&](unsigned gone) {
      for (bool moved = true; moved;) {
        moved = false;
        const std::int64_t free = free_without(world, gone)[0][0];
        for (std::size_t g = 0; g < world.gangs.size(); ++g) {
          if ((gone >> g & 1u) == 0 && free >= 3) gone |= 1u << g, moved = true;
        }
      }
      return gone == (1u << world.gangs.size()) - 1;
    };
    CHECK(all_go_on(chosen));
    for (const std::size_t g : eviction.gangs) CHECK_FALSE(all_go_on(chosen & ~(1u << g)));
  }
  CHECK(smallest_eviction(row_of(kMostForExact, 3), kPlenty).method == Eviction::Method::Exact);
}

TEST_CASE("a greedy eviction takes the gang that frees the most, and none that frees nothing of use", "[observe]") {
  // Each waits for two GPUs of the first node; one holds a lot there, and one a lot where nobody waits.
  const auto world_of = [](std::int64_t here, std::int64_t elsewhere) {
    WaitWorld world{{{0}, {0}}, {{0}}, {}};
    for (std::size_t g = 0; g < kMostForExact + 2; ++g) world.gangs.push_back({{{0, {1}}}, {{{1}, 2, 0}}, 1});
    world.gangs[5] = {{{0, {here}}}, {{{1}, 2, 0}}, here};
    world.gangs[9] = {{{1, {elsewhere}}}, {{{1}, 2, 0}}, elsewhere};
    return world;
  };
  CHECK(smallest_eviction(world_of(4, 3), kPlenty).gangs == std::vector<std::size_t>{5});
  CHECK(smallest_eviction(world_of(4, 8), kPlenty).gangs == std::vector<std::size_t>{5});
  const Eviction two = smallest_eviction(world_of(1, 8), kPlenty);
  CHECK(two.method == Eviction::Method::Greedy);
  CHECK(two.gangs.size() == 2);
  CHECK(two.gpus == 2);
}

TEST_CASE("a gang whose places were not all tried is not called blocked for certain", "[observe]") {
  // One large pod takes the only node that has room for more than one of the small ones, and so they lack one place.
  const auto outcome_of = [](std::int64_t small) {
    WaitWorld world{{{8}}, {{0}}, {{{}, {{{1}, small, 0}, {{8}, 1, 0}}, 0}}};
    for (std::int64_t i = 1; i < small; ++i) {
      world.choices[0].push_back(static_cast<std::uint32_t>(world.free.size()));
      world.free.push_back({1});
    }
    std::int64_t budget = kPlenty;
    return progress_of(world, {0}, budget);
  };
  CHECK(outcome_of(8).stuck == std::vector<std::size_t>{0});
  CHECK_FALSE(outcome_of(8).gave_up);
  CHECK(outcome_of(250).stuck == std::vector<std::size_t>{0});
  CHECK(outcome_of(250).gave_up);
}

TEST_CASE("a search that ran out of its budget is greedy and not called exact", "[observe]") {
  const Eviction eviction = smallest_eviction(row_of(12, 8), 400);
  CHECK(eviction.method == Eviction::Method::Greedy);
  CHECK(smallest_eviction(row_of(12, 8), kPlenty).method == Eviction::Method::Exact);
  CHECK(smallest_eviction(row_of(12, 8), kPlenty).gangs.size() == 8);
}

TEST_CASE("the cycle is one, and there is no shorter one", "[observe]") {
  std::mt19937 random(5);
  std::size_t of_three = 0;
  for (int round = 0; round < 3000; ++round) {
    const WaitWorld world = round % 2 == 0 ? random_world(random, 4) : sparse_world(random);
    INFO(shown(world));
    const std::size_t count = world.gangs.size();
    std::vector<std::size_t> members(count);
    for (std::size_t g = 0; g < count; ++g) members[g] = g;
    std::size_t shortest = 0;
    std::vector<std::size_t> order = members;
    do {  // each ring is a beginning of some order
      for (std::size_t length = 2; length <= count; ++length) {
        bool ring = true;
        for (std::size_t i = 0; i < length; ++i) ring = ring && plain_edge(world, order[i], order[(i + 1) % length]);
        if (ring && (shortest == 0 || length < shortest)) shortest = length;
      }
    } while (std::ranges::next_permutation(order).found);
    const std::vector<std::size_t> cycle = shortest_cycle(world, members);
    REQUIRE(cycle.size() == shortest);
    for (std::size_t i = 0; i < cycle.size(); ++i) REQUIRE(plain_edge(world, cycle[i], cycle[(i + 1) % cycle.size()]));
    of_three += shortest >= 3 ? 1 : 0;
  }
  CHECK(of_three > 100);
}

TEST_CASE("gangs that are said to go on side by side all find places at the same time", "[observe]") {
  std::mt19937 random(9);
  std::size_t several = 0;
  for (int round = 0; round < 2000; ++round) {
    const WaitWorld world = random_world(random, 5);
    INFO(shown(world));
    std::vector<char> evicted(world.gangs.size(), 0);
    evicted[0] = 1;
    std::vector<std::size_t> others;
    for (std::size_t g = 1; g < world.gangs.size(); ++g) others.push_back(g);
    const std::vector<std::size_t> together = side_by_side(world, evicted, others);
    std::vector<PlainPod> pods;
    for (const std::size_t g : together) {
      for (const WaitDemand& demand : world.gangs[g].wants) {
        for (std::int64_t i = 0; i < demand.pods; ++i) pods.push_back({demand.each, world.choices[demand.nodes]});
      }
    }
    std::vector<Amounts> free = free_without(world, 1u);
    REQUIRE(place_all(pods, 0, free));
    several += together.size() >= 2 ? 1 : 0;
  }
  CHECK(several > 50);
}
