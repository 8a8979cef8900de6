#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

/// Amounts of each resource, all of the same length within a world.
using Amounts = std::vector<std::int64_t>;

/// Like pods that wait: how many, what each asks for, and the nodes that may take them.
struct WaitDemand {
  Amounts each;
  std::int64_t pods = 0;
  std::size_t nodes = 0;  ///< in WaitWorld::choices
};

/// What a gang holds on one node.
struct WaitHold {
  std::size_t node = 0;
  Amounts amounts;
};

/// A gang that holds something and waits for more; it gives nothing back before it is whole.
struct WaitGang {
  std::vector<WaitHold> holds;
  std::vector<WaitDemand> wants;
  std::int64_t gpus = 0;  ///< that it holds
};

/// Gangs that hold and wait, and what is free beside them.
struct WaitWorld {
  std::vector<Amounts> free;                        ///< by node
  std::vector<std::vector<std::uint32_t>> choices;  ///< sets of nodes
  std::vector<WaitGang> gangs;
};

/// In which order gangs become whole, each when those before it have finished; the rest never does.
struct WaitOutcome {
  std::vector<std::size_t> order;
  std::vector<std::size_t> at_once;  ///< of those: each with what is free to begin with
  std::vector<std::size_t> stuck;
  bool gave_up = false;  ///< of one of `stuck` it is not known: too many ways to place its pods
};

/// `evicted[g]` gangs are gone and what they held is free.
WaitOutcome progress_of(const WaitWorld& world, const std::vector<char>& evicted, std::int64_t& budget);

/// Those of `gangs`, in this order, that find places side by side once the evicted are gone; there may be room for
/// more.
std::vector<std::size_t> side_by_side(const WaitWorld& world, const std::vector<char>& evicted,
                                      const std::vector<std::size_t>& gangs);

/// The gangs to evict so that all others become whole: fewest gangs, then fewest GPUs, then the first by number.
struct Eviction {
  enum class Method {
    Exact,   ///< all smaller sets and all of the same size were tried
    Greedy,  ///< too many gangs for that: there may be a smaller set
  };
  std::vector<std::size_t> gangs;
  std::int64_t gpus = 0;
  Method method = Method::Exact;
};

/// Gangs up to which all sets are tried; above, or once `budget` looks at nodes are spent, the search is greedy.
inline constexpr std::size_t kMostForExact = 16;
Eviction smallest_eviction(const WaitWorld& world, std::int64_t budget);

/// A shortest ring of gangs of which each waits for something that the next holds, on a node that it may use and has no
/// room for it; begins at the one that comes first. Empty where there is none among `members`.
std::vector<std::size_t> shortest_cycle(const WaitWorld& world, const std::vector<std::size_t>& members);

}  // namespace muster
