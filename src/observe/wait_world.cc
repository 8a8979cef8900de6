#include "observe/wait_world.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/capped.h"

namespace muster {
namespace {

constexpr std::int64_t kPlacementSteps = 20'000;   // of one search for places of unlike pods
constexpr std::size_t kMostPodsToSearch = 200;     // unlike ones
constexpr std::size_t kMostNodesToSearch = 2'000;  // that is how deep the recursion goes

std::int64_t room(const Amounts& free, const Amounts& each) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t r = 0; r < each.size(); ++r) {
    if (each[r] > 0) most = std::min(most, std::max<std::int64_t>(0, free[r]) / each[r]);
  }
  return most;
}

void give(Amounts& free, const Amounts& amounts) {
  for (std::size_t r = 0; r < amounts.size(); ++r) free[r] = add_capped(free[r], amounts[r]);
}

void take(Amounts& free, const Amounts& each, std::int64_t pods) {
  for (std::size_t r = 0; r < each.size(); ++r) free[r] -= each[r] * pods;
}

enum class Fits { Yes, No, Unknown };

/// Whether all pods that one gang waits for find a place at once.
class Placer {
 public:
  Placer(const WaitWorld& world, const WaitGang& gang, const std::vector<Amounts>& free, std::int64_t& budget)
      : world_(world), gang_(gang), free_(free), budget_(budget) {}

  Fits run() {
    // Alone each kind of pod must fit; for a single kind that is exact.
    for (const WaitDemand& demand : gang_.wants) {
      if (slots(demand) < demand.pods) return budget_ > 0 ? Fits::No : Fits::Unknown;
    }
    if (gang_.wants.size() <= 1) return Fits::Yes;
    std::vector<const WaitDemand*> kinds;
    std::size_t pods = 0;
    for (const WaitDemand& demand : gang_.wants) {
      kinds.push_back(&demand);
      pods += static_cast<std::size_t>(std::min<std::int64_t>(demand.pods, kMostPodsToSearch + 1));
    }
    std::ranges::stable_sort(kinds, [](const WaitDemand* a, const WaitDemand* b) { return a->each > b->each; });
    if (first_fit(kinds)) return Fits::Yes;
    if (pods > kMostPodsToSearch) return Fits::Unknown;
    return search(kinds);
  }

 private:
  std::int64_t slots(const WaitDemand& demand) {
    std::int64_t sum = 0;
    for (const std::uint32_t node : world_.choices[demand.nodes]) {
      --budget_;
      sum = add_capped(sum, room(free_[node], demand.each));
      if (sum >= demand.pods || budget_ <= 0) break;
    }
    return sum;
  }

  bool first_fit(const std::vector<const WaitDemand*>& kinds) {
    std::vector<Amounts> free = free_;
    for (const WaitDemand* kind : kinds) {
      std::int64_t left = kind->pods;
      for (const std::uint32_t node : world_.choices[kind->nodes]) {
        --budget_;
        const std::int64_t here = std::min(left, room(free[node], kind->each));
        take(free[node], kind->each, here);
        left -= here;
        if (left == 0) break;
      }
      if (left > 0) return false;
    }
    return true;
  }

  Fits search(const std::vector<const WaitDemand*>& kinds) {
    std::size_t deep = 0;
    for (const WaitDemand* kind : kinds) {
      for (const std::uint32_t node : world_.choices[kind->nodes]) deep += room(free_[node], kind->each) > 0 ? 1 : 0;
    }
    if (deep > kMostNodesToSearch) return Fits::Unknown;
    left_ = kPlacementSteps;
    std::vector<Amounts> free = free_;
    if (place(kinds, 0, kinds.front()->pods, 0, free)) return Fits::Yes;
    return left_ > 0 && budget_ > 0 ? Fits::No : Fits::Unknown;
  }

  /// Places `pods` more of kind `k` on its nodes from the `n`-th on: as many as fit on the first, down to none.
  bool place(const std::vector<const WaitDemand*>& kinds, std::size_t k, std::int64_t pods, std::size_t n,
             std::vector<Amounts>& free) {
    if (pods == 0) return k + 1 == kinds.size() || place(kinds, k + 1, kinds[k + 1]->pods, 0, free);
    const std::vector<std::uint32_t>& nodes = world_.choices[kinds[k]->nodes];
    // A node without room for one is passed over without a step of its own.
    while (n < nodes.size() && room(free[nodes[n]], kinds[k]->each) == 0) ++n, --budget_;
    if (n == nodes.size() || --left_ <= 0 || --budget_ <= 0) return false;
    Amounts& here = free[nodes[n]];
    for (std::int64_t count = std::min(pods, room(here, kinds[k]->each)); count >= 0 && left_ > 0; --count) {
      take(here, kinds[k]->each, count);
      const bool done = place(kinds, k, pods - count, n + 1, free);
      take(here, kinds[k]->each, -count);
      if (done) return true;
    }
    return false;
  }

  const WaitWorld& world_;
  const WaitGang& gang_;
  const std::vector<Amounts>& free_;
  std::int64_t& budget_;
  std::int64_t left_ = 0;
};

std::vector<char> marks(std::size_t size, const std::vector<std::size_t>& members) {
  std::vector<char> out(size, 0);
  for (const std::size_t i : members) out[i] = 1;
  return out;
}

/// Calls `visit` with each set of `size` numbers below `count`, in order, until it says false.
template <class Visit>
void each_subset(std::size_t count, std::size_t size, Visit visit) {
  std::vector<std::size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  while (visit(chosen)) {
    std::size_t i = size;
    while (i > 0 && chosen[i - 1] == count - size + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (std::size_t j = i; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

std::int64_t gpus_of(const WaitWorld& world, const std::vector<std::size_t>& gangs) {
  std::int64_t sum = 0;
  for (const std::size_t gang : gangs) sum = add_capped(sum, world.gangs[gang].gpus);
  return sum;
}

/// The same world without the nodes on which no pod that waits could ever go.
WaitWorld compact(const WaitWorld& world) {
  std::vector<Amounts> most = world.free;
  for (const WaitGang& gang : world.gangs) {
    for (const WaitHold& hold : gang.holds) give(most[hold.node], hold.amounts);
  }
  constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(world.free.size(), kGone);
  WaitWorld out;
  out.gangs = world.gangs;
  for (WaitGang& gang : out.gangs) {
    for (WaitDemand& demand : gang.wants) {
      std::vector<std::uint32_t>& nodes = out.choices.emplace_back();
      for (const std::uint32_t node : world.choices[demand.nodes]) {
        if (room(most[node], demand.each) == 0) continue;
        if (number[node] == kGone) {
          number[node] = static_cast<std::uint32_t>(out.free.size());
          out.free.push_back(world.free[node]);
        }
        nodes.push_back(number[node]);
      }
      demand.nodes = out.choices.size() - 1;
    }
  }
  for (WaitGang& gang : out.gangs) {
    std::erase_if(gang.holds, [&](const WaitHold& hold) { return number[hold.node] == kGone; });
    for (WaitHold& hold : gang.holds) hold.node = number[hold.node];
  }
  return out;
}

/// As few of the largest as will do, and of those again each left out without which the others will do, too.
Eviction greedy(const WaitWorld& world, std::vector<std::size_t> stuck, std::int64_t budget) {
  std::ranges::stable_sort(stuck,
                           [&](std::size_t a, std::size_t b) { return world.gangs[a].gpus > world.gangs[b].gpus; });
  const auto enough = [&](const std::vector<std::size_t>& gangs) {
    return progress_of(world, marks(world.gangs.size(), gangs), budget).stuck.empty();
  };
  std::size_t low = 0;
  std::size_t high = stuck.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::vector<std::size_t> some(stuck.begin(), stuck.begin() + static_cast<std::ptrdiff_t>(middle));
    enough(some) ? high = middle : low = middle + 1;
  }
  std::vector<std::size_t> chosen(stuck.begin(), stuck.begin() + static_cast<std::ptrdiff_t>(high));
  for (std::size_t i = 0; i < chosen.size() && budget > 0;) {
    std::vector<std::size_t> fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    enough(fewer) ? void(chosen = std::move(fewer)) : void(++i);
  }
  std::ranges::sort(chosen);
  return {chosen, gpus_of(world, chosen), Eviction::Method::Greedy};
}

}  // namespace

WaitOutcome progress_of(const WaitWorld& world, const std::vector<char>& evicted, std::int64_t& budget) {
  std::vector<Amounts> free = world.free;
  WaitOutcome out;
  std::vector<std::size_t> waiting;
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    if (evicted[g] == 0) {
      waiting.push_back(g);
      continue;
    }
    for (const WaitHold& hold : world.gangs[g].holds) give(free[hold.node], hold.amounts);
  }
  // What is free only grows, so the order in which gangs are taken does not change which of them remain.
  for (bool first = true;; first = false) {
    std::vector<std::size_t> rest;
    std::vector<std::size_t> done;
    out.gave_up = false;
    for (const std::size_t g : waiting) {
      const Fits fits = budget > 0 ? Placer(world, world.gangs[g], free, budget).run() : Fits::Unknown;
      out.gave_up = out.gave_up || fits == Fits::Unknown;
      (fits == Fits::Yes ? done : rest).push_back(g);
    }
    for (const std::size_t g : done) {
      for (const WaitHold& hold : world.gangs[g].holds) give(free[hold.node], hold.amounts);
    }
    if (first) out.at_once = done;
    out.order.insert(out.order.end(), done.begin(), done.end());
    waiting = std::move(rest);
    if (done.empty() || waiting.empty()) break;
  }
  out.stuck = std::move(waiting);
  return out;
}

std::vector<std::size_t> side_by_side(const WaitWorld& world, const std::vector<char>& evicted,
                                      const std::vector<std::size_t>& gangs) {
  std::vector<Amounts> free = world.free;
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    if (evicted[g] == 0) continue;
    for (const WaitHold& hold : world.gangs[g].holds) give(free[hold.node], hold.amounts);
  }
  std::vector<std::size_t> out;
  for (const std::size_t g : gangs) {
    std::vector<Amounts> after = free;
    bool fits = true;
    for (const WaitDemand& demand : world.gangs[g].wants) {
      std::int64_t left = demand.pods;
      for (const std::uint32_t node : world.choices[demand.nodes]) {
        const std::int64_t here = std::min(left, room(after[node], demand.each));
        take(after[node], demand.each, here);
        left -= here;
        if (left == 0) break;
      }
      fits = fits && left == 0;
    }
    if (!fits) continue;
    free = std::move(after);
    out.push_back(g);
  }
  return out;
}

Eviction smallest_eviction(const WaitWorld& all, std::int64_t budget) {
  const std::vector<char> nobody(all.gangs.size(), 0);
  const WaitWorld world = compact(all);
  std::int64_t left = budget;
  const std::vector<std::size_t> stuck = progress_of(world, nobody, left).stuck;
  if (stuck.size() > kMostForExact) return greedy(world, stuck, budget);
  // Gangs that go on anyway need not be evicted: they give everything back by themselves.
  for (std::size_t size = 0; size <= stuck.size(); ++size) {
    Eviction best;
    bool found = false;
    bool sure = true;
    each_subset(stuck.size(), size, [&](const std::vector<std::size_t>& chosen) {
      std::vector<std::size_t> gangs;
      for (const std::size_t i : chosen) gangs.push_back(stuck[i]);
      const std::int64_t gpus = gpus_of(world, gangs);
      if (found && gpus >= best.gpus) return true;
      const WaitOutcome after = progress_of(world, marks(world.gangs.size(), gangs), left);
      sure = sure && !after.gave_up && left > 0;
      if (after.stuck.empty()) best = {gangs, gpus, Eviction::Method::Exact}, found = true;
      return sure;
    });
    if (!sure) return greedy(world, stuck, budget);
    if (found) return best;
  }
  return {};
}

std::vector<std::size_t> shortest_cycle(const WaitWorld& world, const std::vector<std::size_t>& members) {
  const std::vector<char> inside = marks(world.gangs.size(), members);
  // Who holds something on a node.
  std::vector<std::vector<std::pair<std::size_t, const Amounts*>>> holders(world.free.size());
  for (const std::size_t g : members) {
    for (const WaitHold& hold : world.gangs[g].holds) holders[hold.node].emplace_back(g, &hold.amounts);
  }
  std::int64_t budget = 20'000'000;
  const auto waits_for = [&](std::size_t g) {
    std::vector<char> found(world.gangs.size(), 0);
    for (const WaitDemand& demand : world.gangs[g].wants) {
      for (const std::uint32_t node : world.choices[demand.nodes]) {
        if (--budget <= 0) break;
        for (const auto& [holder, amounts] : holders[node]) {
          for (std::size_t r = 0; r < demand.each.size(); ++r) {
            // What lacks there is what the holder has.
            if (demand.each[r] > world.free[node][r] && (*amounts)[r] > 0) found[holder] = 1;
          }
        }
      }
    }
    found[g] = 0;
    std::vector<std::size_t> out;
    for (const std::size_t other : members) {
      if (found[other] != 0) out.push_back(other);
    }
    return out;
  };
  std::vector<std::vector<std::size_t>> edges(world.gangs.size());
  for (const std::size_t g : members) edges[g] = waits_for(g);
  std::vector<std::size_t> best;
  for (const std::size_t start : members) {
    std::vector<std::size_t> from(world.gangs.size(), world.gangs.size());
    std::vector<std::size_t> queue{start};
    bool closed = false;
    for (std::size_t at = 0; at < queue.size() && !closed && --budget > 0; ++at) {
      for (const std::size_t next : edges[queue[at]]) {
        if (next == start) {
          std::vector<std::size_t> ring;
          for (std::size_t g = queue[at]; g != start; g = from[g]) ring.push_back(g);
          ring.push_back(start);
          std::ranges::reverse(ring);
          if (best.empty() || ring.size() < best.size()) best = std::move(ring);
          closed = true;
          break;
        }
        if (from[next] == world.gangs.size() && inside[next] != 0) {
          from[next] = queue[at];
          queue.push_back(next);
        }
      }
    }
    if (best.size() == 2) break;
  }
  return best;
}

}  // namespace muster
