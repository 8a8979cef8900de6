#include "prove/plain_nodes.h"

// A plain simulator of the transition system in docs/prover.md, pod by pod.

namespace muster {
namespace {

class Simulator : public PlainNodes {
 public:
  /// Without rules, pods are placed one by one whatever the mechanism: to show what the nodes take.
  Simulator(const World& world, bool by_rules) : PlainNodes(world), by_rules_(by_rules) {}

  std::string play(const ProofCounterexample& found, std::int64_t faults) {
    for (std::size_t at = 0; at < found.steps.size();) {
      std::size_t end = at;
      while (end < found.steps.size() && found.steps[end].commit == found.steps[at].commit) ++end;
      const std::vector<ProofStep> steps(found.steps.begin() + static_cast<std::ptrdiff_t>(at),
                                         found.steps.begin() + static_cast<std::ptrdiff_t>(end));
      for (const ProofStep& step : steps) {
        if (std::string wrong = names_something(step); !wrong.empty()) return wrong;
        if (step.gang != steps.front().gang || step.cause != steps.front().cause) return "a commit of two gangs";
      }
      if (steps.front().cause == StepCause::Fault && --faults < 0) return "more pods are lost than there are faults";
      std::string wrong = steps.front().cause == StepCause::Place ? commit(steps) : leave(steps);
      if (!wrong.empty()) return wrong;
      if (used_up()) return "it takes too long to play through";
      at = end;
    }
    return "";
  }

  bool used_up() const { return work_ <= 0; }

  std::string judge(Property property) const {
    if (property == Property::AllOrNothing) {
      for (std::size_t g = 0; g < gangs_.size(); ++g) {
        if (world_.gangs[g].coupled && gangs_[g].held() > 0 && !gangs_[g].whole() && !can_go_on(g)) return "";
      }
      return "no gang that has a part of its pods is stuck";
    }
    bool gives = false;
    bool any = false;
    for (std::size_t g = 0; g < gangs_.size(); ++g) {
      if (gangs_[g].held() == 0) continue;
      any = true;
      if (gangs_[g].whole() || !world_.gangs[g].coupled) return "a gang completes, or pods of it do";
      if (can_go_on(g)) return "a gang can go on";
      gives = gives || gives_back(g);
    }
    if (!any) return "nobody holds anything";
    if (property == Property::NoDeadlock && gives) return "a gang gives back what it holds";
    if (property == Property::NoLivelock && !gives) return "no gang gives back what it holds";
    return "";
  }

  /// A gang that its queue or a quota never lets in, that does not fit alone, or whose components starve.
  std::string judge_placeable(std::size_t g) {
    const WorldGang& gang = world_.gangs[g];
    for (const WorldPool& pool : world_.pools) {
      if (gang.mechanism == Mechanism::Quota && pool.quota.is_set() && gpus_in(g, pool) > pool.quota.value) return "";
    }
    if (gpus_of(g) > queue_of(g)) return "";
    if (gang.mechanism == Mechanism::OrderedAtomic && components_starve(g)) return "";
    clear();
    return alone_fits({g}) ? "the gang fits the empty nodes" : "";
  }

  std::string judge_quota(const ProofCounterexample& found) {
    std::vector<std::size_t> gangs;
    for (const ProofHold& hold : found.holds) {
      if (world_.gangs[hold.gang].mechanism != Mechanism::Quota) return "a gang that no quota admits";
      gangs.push_back(hold.gang);
    }
    for (const WorldPool& pool : world_.pools) {
      std::int64_t sum = 0;
      for (const std::size_t g : gangs) sum += gpus_in(g, pool);
      if (sum > (pool.quota.is_set() ? pool.quota.value : kUnlimited)) return "the quota does not admit them";
    }
    for (const WorldQueue& queue : world_.queues) {
      std::int64_t sum = 0;
      for (const std::size_t g : gangs) sum += world_.gangs[g].queue == queue.name ? gpus_of(g) : 0;
      if (sum > queue.gpus) return "queue `" + queue.name + "` does not admit them";
    }
    clear();
    return alone_fits(gangs) ? "they fit the nodes together" : "";
  }

 private:
  std::int64_t gpus_in(std::size_t g, const WorldPool& pool) const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < world_.gangs[g].roles.size(); ++r) {
      const WorldRole& role = world_.gangs[g].roles[r];
      if (&world_.pools[pool_of(g, r)] == &pool) sum += role.pods * role.gpus_per_pod;
    }
    return sum;
  }
  bool goes_to(std::size_t g, const WorldPool& pool) const {
    for (std::size_t r = 0; r < world_.gangs[g].roles.size(); ++r) {
      const WorldRole& role = world_.gangs[g].roles[r];
      if (role.pods > 0 && asks_for_something(role) && &world_.pools[pool_of(g, r)] == &pool) return true;
    }
    return false;
  }
  std::int64_t queue_of(std::size_t g) const {
    for (const WorldQueue& queue : world_.queues) {
      if (queue.name == world_.gangs[g].queue) return queue.gpus;
    }
    return kUnlimited;
  }
  /// Accelerators that the queue of the gang has given away: by quota for all pods of a gang at once.
  std::int64_t taken_of_queue(std::size_t g) const {
    std::int64_t sum = 0;
    for (std::size_t other = 0; other < gangs_.size(); ++other) {
      if (world_.gangs[other].queue != world_.gangs[g].queue || gangs_[other].held() == 0) continue;
      if (world_.gangs[other].mechanism == Mechanism::Quota) {
        sum += gpus_of(other);
        continue;
      }
      for (std::size_t r = 0; r < gangs_[other].placed.size(); ++r)
        sum += gangs_[other].placed[r] * world_.gangs[other].roles[r].gpus_per_pod;
    }
    return sum;
  }
  bool queue_allows(std::size_t g, std::size_t r) const {
    if (world_.gangs[g].queue.empty() || world_.gangs[g].mechanism == Mechanism::Quota) return true;
    const std::int64_t asked = world_.gangs[g].roles[r].gpus_per_pod;
    return asked == 0 || taken_of_queue(g) + asked <= queue_of(g);
  }
  bool may_stand(std::size_t g, std::size_t r, const Node& node) const {
    return fits(g, r, node) && queue_allows(g, r);
  }

  std::string admit(std::size_t g) const {
    if (world_.gangs[g].mechanism != Mechanism::Quota || gangs_[g].held() > 0) return "";
    if (!world_.gangs[g].queue.empty() && taken_of_queue(g) + gpus_of(g) > queue_of(g))
      return "more is admitted than the queue has";
    for (const WorldPool& pool : world_.pools) {
      if (!goes_to(g, pool)) continue;
      std::int64_t sum = gpus_in(g, pool);
      for (std::size_t other = 0; other < gangs_.size(); ++other) {
        if (gangs_[other].held() == 0 || world_.gangs[other].mechanism != Mechanism::Quota || !goes_to(other, pool))
          continue;
        sum += gpus_in(other, pool);
        const bool waits = !gangs_[other].whole() && !gangs_[other].settled;
        if (pool.serial.is_set() && pool.serial.value && waits)
          return "a gang is admitted before the one before it is complete";
      }
      if (pool.quota.is_set() && sum > pool.quota.value) return "more is admitted than the quota has";
    }
    return "";
  }

  /// Pods of the next commit. What pods that finish one by one leave is filled up one by one.
  std::int64_t next_pods(std::size_t g) const {
    const Gang& gang = gangs_[g];
    if (!world_.gangs[g].coupled && gang.held() > 0) return 1;
    return gang.held() < gang.together ? gang.together - gang.held() : 1;
  }
  bool is_first(std::size_t g) const {
    return gangs_[g].held() < gangs_[g].together && (world_.gangs[g].coupled || gangs_[g].held() == 0);
  }
  bool has_the_least(std::size_t g) const {
    for (std::size_t r = 0; r < gangs_[g].placed.size(); ++r) {
      const WorldRole& role = world_.gangs[g].roles[r];
      if (asks_for_something(role) && gangs_[g].placed[r] < std::min(role.guaranteed, role.pods)) return false;
    }
    return true;
  }
  void look_whether_settled(std::size_t g) {
    Gang& gang = gangs_[g];
    const Mechanism mechanism = world_.gangs[g].mechanism;
    if (gang.held() == 0) gang.settled = false;
    if ((mechanism == Mechanism::HoldAndRelease || mechanism == Mechanism::Quota) && gang.held() >= until(g))
      gang.settled = true;
  }

  std::string commit(const std::vector<ProofStep>& steps) {
    const std::size_t g = steps.front().gang;
    if (std::string wrong = by_rules_ ? admit(g) : ""; !wrong.empty()) return wrong;
    std::int64_t pods = 0;
    for (const ProofStep& step : steps) pods += step.pods;
    const Mechanism mechanism = world_.gangs[g].mechanism;
    const bool is_atomic = by_rules_ && (mechanism == Mechanism::Atomic || mechanism == Mechanism::OrderedAtomic ||
                                         mechanism == Mechanism::HoldAndRelease);
    const bool first = is_atomic && is_first(g);
    if (first && pods != next_pods(g)) return "a part of a commit";
    for (const ProofStep& step : steps) {
      if (step.pods <= 0) return "a placement of no pods";
      const std::size_t n = first_[step.pool] + static_cast<std::size_t>(step.node);
      for (std::int64_t i = 0; i < step.pods; ++i) {
        if (!fits(g, step.role, nodes_[n])) return "a pod is placed where it does not fit";
        if (by_rules_ && !queue_allows(g, step.role)) return "a pod is placed that its queue does not admit";
        put(g, step.role, n);
      }
    }
    if (first && mechanism != Mechanism::HoldAndRelease && !has_the_least(g))
      return "a commit without the pods it guarantees of a role";
    look_whether_settled(g);
    return "";
  }

  /// Whether the gang may go now, as a whole or a pod of it.
  std::string may_leave(const std::vector<ProofStep>& steps, bool& single) const {
    const std::size_t g = steps.front().gang;
    const WorldGang& gang = world_.gangs[g];
    switch (steps.front().cause) {
      case StepCause::Place: return "a placement that takes away";
      case StepCause::Fault: single = true; return "";
      case StepCause::Finish:
        single = !gang.coupled;
        return single || gangs_[g].whole() ? "" : "a gang finishes before it is whole";
      case StepCause::GiveBack: return gives_back(g) ? "" : "a gang gives back what it keeps";
      case StepCause::Evict: break;
    }
    const std::size_t by = steps.front().by;
    if (by >= gangs_.size() || !world_.gangs[by].preempts || world_.gangs[by].priority <= gang.priority)
      return "a gang is evicted that need not give way";
    if (can_place(by) || !can_go_on(by)) return "a gang is evicted for one that it does not help";
    single = !gang.coupled || (world_.gangs[by].evicts_pods && !gang.restarts_whole);
    const bool helps = std::ranges::any_of(steps, [&](const ProofStep& step) {
      return would_stand_on(by, first_[step.pool] + static_cast<std::size_t>(step.node));
    });
    return helps ? "" : "a pod is evicted from a node that does not help";
  }

  std::string leave(const std::vector<ProofStep>& steps) {
    const std::size_t g = steps.front().gang;
    bool single = false;
    if (std::string wrong = may_leave(steps, single); !wrong.empty()) return wrong;
    if (single && (steps.size() != 1 || steps.front().pods != -1)) return "pods are lost one at a time";
    for (const ProofStep& step : steps) {
      for (std::int64_t i = 0; i < -step.pods; ++i) {
        const std::size_t n = first_[step.pool] + static_cast<std::size_t>(step.node);
        const auto pod = std::ranges::find(gangs_[g].pods, std::pair(step.role, n));
        if (pod == gangs_[g].pods.end()) return "a pod is lost that is not there";
        take(g, static_cast<std::size_t>(pod - gangs_[g].pods.begin()));
      }
    }
    if (!single && gangs_[g].held() > 0) return "a part of a gang goes";
    look_whether_settled(g);
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
    const bool by_time = (gang.mechanism == Mechanism::HoldAndRelease || gang.mechanism == Mechanism::Quota) &&
                         gang.timeout_seconds.has_value();
    return by_time && gangs_[g].held() > 0 && !gangs_[g].settled && gangs_[g].held() < until(g);
  }

  void take_below(std::int64_t priority) {
    for (std::size_t g = 0; g < gangs_.size(); ++g) {
      while (world_.gangs[g].priority < priority && !gangs_[g].pods.empty()) take(g, gangs_[g].pods.size() - 1);
    }
  }
  bool would_stand_on(std::size_t g, std::size_t n) const {
    Simulator without = *this;
    for (std::size_t other = 0; other < gangs_.size(); ++other) {
      for (std::size_t i = without.gangs_[other].pods.size(); i-- > 0;) {
        if (world_.gangs[other].priority < world_.gangs[g].priority && without.gangs_[other].pods[i].second == n)
          without.take(other, i);
      }
    }
    for (std::size_t r = 0; r < gangs_[g].placed.size(); ++r) {
      if (asks_for_something(world_.gangs[g].roles[r]) && without.fits(g, r, without.nodes_[n])) return true;
    }
    return false;
  }

  bool can_go_on(std::size_t g) const {
    if (can_place(g)) return true;
    const std::int64_t priority = world_.gangs[g].priority;
    const bool lower =
        std::ranges::any_of(world_.gangs, [&](const WorldGang& other) { return other.priority < priority; });
    if (!world_.gangs[g].preempts || !lower) return false;
    work_ -= static_cast<std::int64_t>(nodes_.size());
    Simulator without = *this;
    without.take_below(priority);
    const bool can = without.can_place(g);
    work_ = without.work_;
    return can;
  }

  /// The next pod, or, short of the guaranteed ones, all of those that are missing.
  bool can_place(std::size_t g) const {
    const Gang& gang = gangs_[g];
    if (gang.whole() || !admit(g).empty()) return false;
    const std::int64_t wanted = next_pods(g);
    if (wanted == 1 && !is_first(g)) {
      for (std::size_t r = 0; r < gang.placed.size(); ++r) {
        if (!asks_for_something(world_.gangs[g].roles[r]) || !queue_allows(g, r) ||
            !room_may_be(world_.gangs[g].roles[r]))
          continue;
        if (std::ranges::any_of(nodes_, [&](const Node& node) { return fits(g, r, node); })) return true;
      }
      return false;
    }
    Simulator copy = *this;
    const bool can = copy.place_some(g, wanted, 0);
    work_ = copy.work_;
    return can;
  }

  /// Some node has so many accelerators free.
  bool room_may_be(const WorldRole& role) const {
    std::int64_t most = 0;
    if (most_free_ < 0) {
      for (const Node& node : nodes_) most = std::max(most, node.gpus);
      most_free_ = most;
    }
    return role.gpus_per_pod <= most_free_;
  }

  bool place_some(std::size_t g, std::int64_t wanted, std::size_t from) {
    if (wanted == 0) return world_.gangs[g].mechanism != Mechanism::Atomic || has_the_least(g);
    for (std::size_t n = from; n < nodes_.size() && work_ > 0; ++n) {
      for (std::size_t r = 0; r < gangs_[g].placed.size(); ++r) {
        if (!asks_for_something(world_.gangs[g].roles[r]) || !may_stand(g, r, nodes_[n])) continue;
        put(g, r, n);
        const bool all = place_some(g, wanted - 1, n);
        take(g, gangs_[g].pods.size() - 1);
        if (all) return true;
      }
    }
    return false;
  }

  /// Each component that has its nodes has those that stood first when it came.
  bool took_the_first(std::size_t g) const {
    Simulator empty = *this;
    empty.clear();
    for (const auto& [r, n] : gangs_[g].pods) {
      for (std::size_t before = 0; before < n; ++before) {
        if (empty.fits(g, r, empty.nodes_[before])) return false;
      }
      if (!empty.fits(g, r, empty.nodes_[n])) return false;
      empty.put(g, r, n);
    }
    return true;
  }

  bool components_starve(std::size_t g) const {
    const Gang& gang = gangs_[g];
    if (world_.gangs[g].takes == NodesTaken::Unsaid) return false;
    if (world_.gangs[g].takes == NodesTaken::First && !took_the_first(g)) return false;
    std::size_t r = 0;
    while (r < gang.placed.size() &&
           (gang.placed[r] == world_.gangs[g].roles[r].pods || !asks_for_something(world_.gangs[g].roles[r])))
      ++r;
    if (r == 0 || r == gang.placed.size() || gang.placed[r] != 0) return false;
    return room_for(g, r) < world_.gangs[g].roles[r].pods;
  }

  bool by_rules_;
};

}  // namespace

std::string replay(const World& world, Property property, const ProofCounterexample& counterexample,
                   std::int64_t faults) {
  if (counterexample.holds.empty()) return "nobody holds anything";
  Simulator simulator(world, property != Property::Placeable && property != Property::QuotaConsistent);
  if (std::string wrong = simulator.play(counterexample, faults); !wrong.empty()) return wrong;
  std::string wrong = property == Property::Placeable ? simulator.judge_placeable(counterexample.holds.front().gang)
                      : property == Property::QuotaConsistent ? simulator.judge_quota(counterexample)
                                                              : simulator.judge(property);
  return wrong.empty() && simulator.used_up() ? "it takes too long to play through" : wrong;
}

std::string replay_run(const World& world, const std::vector<ProofStep>& steps) {
  Simulator simulator(world, true);
  return simulator.play({{}, steps, 0, {}}, 0);
}

}  // namespace muster
