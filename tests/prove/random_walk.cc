#include "prove/random_walk.h"

#include <algorithm>
#include <vector>

namespace muster {
namespace {

class Walk {
 public:
  Walk(const World& world, std::mt19937& dice, NodeTruth& truth) : world_(world), dice_(dice), truth_(truth) {
    for (const WorldNodes& kind : world.pools[0].nodes) {
      for (std::int64_t i = 0; i < kind.count; ++i) nodes_.push_back({kind.gpus, kind.domains.at("leaf")});
    }
    for (const WorldGang& gang : world.gangs) {
      const std::int64_t pods = gang.roles[0].pods;
      gangs_.push_back({&gang, below(3) == 0 ? pods : below(pods), 0, false, std::vector<std::int64_t>(nodes_.size())});
    }
  }

  void run() {
    for (std::size_t idle = 0; idle < 2 * gangs_.size();) {
      const std::size_t g = static_cast<std::size_t>(below(static_cast<std::int64_t>(gangs_.size())));
      idle = place(gangs_[g]) ? 0 : idle + 1;
      look();
      if (below(40) == 0) leave(gangs_[static_cast<std::size_t>(below(static_cast<std::int64_t>(gangs_.size())))]);
    }
  }

 private:
  struct Node {
    std::int64_t free;
    std::string leaf;
  };
  struct Holder {
    const WorldGang* gang;
    std::int64_t wants;
    std::int64_t held;
    bool admitted;
    std::vector<std::int64_t> on;
  };

  std::int64_t below(std::int64_t bound) {
    return bound <= 0 ? 0 : static_cast<std::int64_t>(dice_() % static_cast<std::uint32_t>(bound));
  }
  static std::int64_t gpus(const Holder& holder) { return holder.gang->roles[0].gpus_per_pod; }
  static std::int64_t pods(const Holder& holder) { return holder.gang->roles[0].pods; }

  bool fits(const Holder& holder, std::size_t n) const {
    if (nodes_[n].free < gpus(holder)) return false;
    for (std::size_t m = 0; m < nodes_.size() && !(holder.gang->domain.empty() && holder.gang->roles[0].domain.empty());
         ++m) {
      if (holder.on[m] > 0 && nodes_[m].leaf != nodes_[n].leaf) return false;
    }
    return true;
  }
  bool fits_somewhere(const Holder& holder) const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (fits(holder, n)) return true;
    }
    return false;
  }

  bool admit(Holder& holder) {
    if (holder.gang->mechanism != Mechanism::Quota || holder.admitted || !world_.pools[0].quota.is_set()) return true;
    std::int64_t sum = pods(holder) * gpus(holder);
    for (const Holder& other : gangs_) sum += other.admitted ? pods(other) * gpus(other) : 0;
    holder.admitted = sum <= world_.pools[0].quota.value;
    return holder.admitted;
  }

  void put(Holder& holder, std::size_t n, std::int64_t count) {
    nodes_[n].free -= count * gpus(holder);
    holder.on[n] += count;
    holder.held += count;
  }

  bool place(Holder& holder) {
    const bool atomic = holder.gang->mechanism == Mechanism::Atomic;
    const std::int64_t count = atomic && holder.held == 0 ? holder.gang->guaranteed.value : 1;
    if (holder.held >= holder.wants || holder.held + count > pods(holder) || !admit(holder)) return false;
    std::vector<std::size_t> done;
    for (std::int64_t i = 0; i < count; ++i) {
      std::vector<std::size_t> open;
      for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (fits(holder, n)) open.push_back(n);
      }
      if (open.empty()) {
        for (const std::size_t n : done) put(holder, n, -1);
        if (holder.held == 0) holder.admitted = false;
        return false;
      }
      done.push_back(open[static_cast<std::size_t>(below(static_cast<std::int64_t>(open.size())))]);
      put(holder, done.back(), 1);
    }
    return true;
  }

  bool gives_back(const Holder& holder) const {
    if (!holder.gang->timeout_seconds || holder.held == 0 || holder.held == pods(holder)) return false;
    if (holder.gang->mechanism == Mechanism::HoldAndRelease) return holder.held < holder.gang->guaranteed.value;
    return holder.gang->mechanism == Mechanism::Quota;
  }

  /// Finishes, or is given back after its timeout; then it comes again.
  void leave(Holder& holder) {
    if (holder.held != pods(holder) && !gives_back(holder)) return;
    for (std::size_t n = 0; n < nodes_.size(); ++n) put(holder, n, -holder.on[n]);
    holder.admitted = false;
    holder.wants = below(pods(holder) + 1);
  }

  void look() {
    bool any = false;
    bool moves = false;
    bool gives = false;
    for (const Holder& holder : gangs_) {
      if (holder.held == 0) continue;
      any = true;
      const bool stuck = holder.gang->coupled && holder.held < pods(holder) && !fits_somewhere(holder);
      moves = moves || !stuck;
      gives = gives || gives_back(holder);
      if (stuck) truth_.all_or_nothing = false;
    }
    if (!any || moves) return;
    (gives ? truth_.no_livelock : truth_.no_deadlock) = false;
  }

  const World& world_;
  std::mt19937& dice_;
  NodeTruth& truth_;
  std::vector<Node> nodes_;
  std::vector<Holder> gangs_;
};

}  // namespace

NodeTruth walk_at_random(const World& world, std::mt19937& dice, int adversaries) {
  NodeTruth truth;
  for (int i = 0; i < adversaries; ++i) Walk(world, dice, truth).run();
  return truth;
}

}  // namespace muster
