#include "prove/placement.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace muster::prove {

namespace {
constexpr std::int64_t kMostSingleSteps = 4096;
}

std::int64_t NodeGroup::pods_of(std::size_t kind) const {
  const auto found = std::ranges::lower_bound(pods, kind, {}, &std::pair<std::size_t, std::int64_t>::first);
  return found != pods.end() && found->first == kind ? found->second : 0;
}

Placement::Placement(const Instance& instance)
    : instance_(&instance),
      held_(instance.gangs.size()),
      held_of_kind_(instance.kinds.size()),
      taken_by_(instance.gangs.size()),
      taken_in_(instance.world->queues.size()),
      domain_(instance.ties.size(), -1) {
  for (std::size_t c = 0; c < instance.classes.size(); ++c) {
    const NodeClass& nodes = instance.classes[c];
    groups_.push_back({c, nodes.first, nodes.count, nodes.free, {}});
  }
}

std::int64_t Placement::free_gpus() const {
  std::int64_t sum = 0;
  for (const NodeGroup& group : groups_) sum += group.free[0] * group.count;
  return sum;
}

std::int64_t Placement::room(const NodeGroup& group, std::size_t kind) const {
  const PodKind& pod = instance_->kinds[kind];
  if (pod.eligible[group.node_class] == 0) return 0;
  for (const std::size_t tie : pod.ties) {
    const std::int32_t domain = domain_of(*instance_, group.node_class, tie);
    if (domain < 0 || (domain_[tie] >= 0 && domain_[tie] != domain)) return 0;
  }
  const std::int64_t room = room_for(group.free, pod.need);
  const GangSpec& spec = instance_->gangs[pod.gang];
  if (!spec.one_per_node || room == 0) return room;
  const bool taken = std::ranges::any_of(
      group.pods, [&](const auto& entry) { return instance_->kinds[entry.first].gang == pod.gang; });
  return taken ? 0 : 1;
}

bool Placement::fits(std::size_t kind) const {
  instance_->work_left -= static_cast<std::int64_t>(groups_.size());
  if (room_in_queue(kind) == 0) return false;
  return std::ranges::any_of(groups_, [&](const NodeGroup& group) { return room(group, kind) > 0; });
}

std::size_t Placement::cut(std::size_t group, std::int64_t nodes) {
  MUSTER_CHECK(nodes > 0 && nodes <= groups_[group].count, "a group is cut within its nodes");
  if (nodes == groups_[group].count) return group;
  NodeGroup rest = groups_[group];
  rest.first += nodes;
  rest.count -= nodes;
  groups_[group].count = nodes;
  groups_.push_back(std::move(rest));
  return group;
}

void Placement::put(std::size_t group, std::int64_t nodes, std::size_t kind, std::int64_t pods_each) {
  const PodKind& pod = instance_->kinds[kind];
  NodeGroup& target = groups_[cut(group, nodes)];
  take(target.free, pod.need, pods_each);
  const auto place = std::ranges::lower_bound(target.pods, kind, {}, &std::pair<std::size_t, std::int64_t>::first);
  if (place != target.pods.end() && place->first == kind) {
    place->second += pods_each;
  } else {
    target.pods.insert(place, {kind, pods_each});
  }
  held_of_kind_[kind] += nodes * pods_each;
  held_[pod.gang] += nodes * pods_each;
  count_taken(pod.gang);
  for (const std::size_t tie : pod.ties) domain_[tie] = domain_of(*instance_, target.node_class, tie);
}

void Placement::count_taken(std::size_t gang) {
  if (!instance_->gangs[gang].queue) return;
  const std::int64_t taken = taken_by(*instance_, gang, held_, held_of_kind_);
  taken_in_[*instance_->gangs[gang].queue] += taken - taken_by_[gang];
  taken_by_[gang] = taken;
}

void Placement::free_ties(const GangSpec& gang) {
  std::vector<char> in_use(gang.ties);
  for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) {
    if (held_of_kind_[kind] == 0) continue;
    for (const std::size_t tie : instance_->kinds[kind].ties) in_use[tie - gang.first_tie] = 1;
  }
  for (std::size_t i = 0; i < gang.ties; ++i) {
    if (in_use[i] == 0) domain_[gang.first_tie + i] = -1;
  }
}

void Placement::remove(std::size_t gang) {
  const GangSpec& spec = instance_->gangs[gang];
  for (NodeGroup& group : groups_) {
    std::erase_if(group.pods, [&](const auto& entry) {
      if (entry.first < spec.first_kind || entry.first >= spec.first_kind + spec.kinds) return false;
      take(group.free, instance_->kinds[entry.first].need, -entry.second);
      return true;
    });
  }
  for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) held_of_kind_[kind] = 0;
  held_[gang] = 0;
  count_taken(gang);
  free_ties(spec);
}

void Placement::take_away(std::size_t group, std::int64_t nodes, std::size_t kind) {
  const PodKind& pod = instance_->kinds[kind];
  NodeGroup& target = groups_[cut(group, nodes)];
  take(target.free, pod.need, -1);
  const auto place = std::ranges::lower_bound(target.pods, kind, {}, &std::pair<std::size_t, std::int64_t>::first);
  if (--place->second == 0) target.pods.erase(place);
  held_of_kind_[kind] -= nodes;
  held_[pod.gang] -= nodes;
  count_taken(pod.gang);
  free_ties(instance_->gangs[pod.gang]);
}

void Placement::remove_below(std::int64_t priority) {
  const auto is_below = [&](std::size_t kind) {
    return instance_->gangs[instance_->kinds[kind].gang].priority < priority;
  };
  for (NodeGroup& group : groups_) {
    std::erase_if(group.pods, [&](const auto& entry) {
      if (!is_below(entry.first)) return false;
      take(group.free, instance_->kinds[entry.first].need, -entry.second);
      return true;
    });
  }
  for (std::size_t kind = 0; kind < held_of_kind_.size(); ++kind)
    held_of_kind_[kind] = is_below(kind) ? 0 : held_of_kind_[kind];
  for (std::size_t gang = 0; gang < held_.size(); ++gang) {
    if (instance_->gangs[gang].priority >= priority || held_[gang] == 0) continue;
    held_[gang] = 0;
    count_taken(gang);
    free_ties(instance_->gangs[gang]);
  }
}

bool Placement::can_go_on(const GangSpec& gang) const {
  for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) {
    if (held_of_kind_[kind] < instance_->kinds[kind].count && fits(kind)) return true;
  }
  return false;
}

bool Placement::is_stuck(std::size_t gang) const {
  const GangSpec& spec = instance_->gangs[gang];
  if (can_go_on(spec)) return false;
  if (!spec.preempts) return true;
  bool gives_way = false;
  for (std::size_t other = 0; other < held_.size() && !gives_way; ++other)
    gives_way = held_[other] > 0 && instance_->gangs[other].priority < spec.priority;
  if (!gives_way) return true;
  instance_->work_left -= 8 * static_cast<std::int64_t>(groups_.size()) + static_cast<std::int64_t>(held_.size());
  Placement without = *this;
  without.remove_below(spec.priority);
  return !without.can_go_on(spec);
}

bool Placement::quota_allows(std::size_t gang) const {
  instance_->work_left -= instance_->gangs[gang].by_quota ? static_cast<std::int64_t>(held_.size()) : 0;
  return admits(*instance_, gang, held_, taken_beside(gang), nullptr);
}

bool Placement::breaks(Property property) const {
  if (property == Property::AllOrNothing) {
    for (std::size_t gang = 0; gang < held_.size(); ++gang) {
      if (instance_->gangs[gang].coupled && is_short(gang)) return true;
    }
    return false;
  }
  bool any = false;
  bool gives = false;
  for (std::size_t gang = 0; gang < held_.size(); ++gang) {
    if (held_[gang] == 0) continue;
    any = true;
    if (is_whole(gang) || !instance_->gangs[gang].coupled)
      return false;  // it, or each pod of it, completes and frees what it holds
    gives = gives || gives_back(gang);
  }
  if (!any || gives != (property == Property::NoLivelock)) return false;
  for (std::size_t gang = 0; gang < held_.size(); ++gang) {
    if (held_[gang] > 0 && !is_stuck(gang)) return false;
  }
  return true;
}

std::vector<std::vector<ProofStep>> Placement::steps_by_gang() const {
  std::vector<std::size_t> order(groups_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::pair(instance_->classes[groups_[i].node_class].pool, groups_[i].first);
  });
  std::vector<std::vector<ProofStep>> by_gang(held_.size());
  for (const std::size_t i : order) {
    const NodeGroup& group = groups_[i];
    for (const auto& [kind, pods] : group.pods) {
      const PodKind& pod = instance_->kinds[kind];
      for (std::int64_t node = 0; node < group.count; ++node) {
        by_gang[pod.gang].push_back(
            {0, pod.gang, kind, instance_->classes[group.node_class].pool, group.first + node, pods});
      }
    }
  }
  return by_gang;
}

std::vector<ProofStep> Placement::steps() const {
  // Gangs that are whole in the end were there first.
  std::vector<std::size_t> gangs(held_.size());
  for (std::size_t i = 0; i < gangs.size(); ++i) gangs[i] = i;
  std::ranges::stable_sort(gangs, [&](std::size_t a, std::size_t b) { return is_whole(a) && !is_whole(b); });
  const std::int64_t pods_of_all = std::accumulate(held_.begin(), held_.end(), std::int64_t{0});
  const std::vector<std::vector<ProofStep>> by_gang = steps_by_gang();
  std::vector<ProofStep> out;
  std::int64_t commit = 0;
  for (const std::size_t gang : gangs) append_steps(gang, by_gang[gang], pods_of_all <= kMostSingleSteps, commit, out);
  return out;
}

void Placement::append_steps(std::size_t gang, const std::vector<ProofStep>& steps, bool one_by_one,
                             std::int64_t& commit, std::vector<ProofStep>& out) const {
  const GangSpec& spec = instance_->gangs[gang];
  const std::int64_t together = std::min(spec.guaranteed, held_[gang]);
  std::vector<std::int64_t> least(spec.kinds);
  std::int64_t reserved = 0;
  for (std::size_t k = 0; k < spec.kinds; ++k)
    reserved += least[k] = std::min(instance_->kinds[spec.first_kind + k].least, together);
  std::int64_t spare = std::max<std::int64_t>(0, together - reserved);
  const std::int64_t first_commit = ++commit;
  std::vector<ProofStep> later;
  for (ProofStep step : steps) {
    const PodKind& pod = instance_->kinds[step.role];
    const std::size_t k = step.role - spec.first_kind;
    const std::int64_t must = std::min(step.pods, least[k]);
    const std::int64_t may = std::min(step.pods - must, spare);
    least[k] -= must;
    spare -= may;
    const std::int64_t rest = step.pods - must - may;
    step.gang = spec.gang;
    step.role = pod.role;
    if (must + may > 0) {
      step.commit = first_commit;
      step.pods = must + may;
      out.push_back(step);
    }
    if (rest > 0) {
      step.pods = rest;
      later.push_back(step);
    }
  }
  for (ProofStep& step : later) {
    // Pods that come one by one are steps of their own, unless there are too many to look at anyway.
    const std::int64_t times = one_by_one ? step.pods : 1;
    if (one_by_one) step.pods = 1;
    for (std::int64_t i = 0; i < times; ++i) {
      step.commit = ++commit;
      out.push_back(step);
    }
  }
}

ProofCounterexample counterexample_of(const Placement& placement, Property property) {
  ProofCounterexample out;
  const Instance& instance = placement.instance();
  for (const bool stuck : {true, false}) {
    for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
      if (placement.held(g) == 0) continue;
      const bool is_stuck = !placement.is_whole(g) && (property != Property::AllOrNothing ||
                                                       (instance.gangs[g].coupled && placement.is_stuck(g)));
      if (is_stuck == stuck) out.holds.push_back({instance.gangs[g].gang, placement.held(g), instance.gangs[g].pods});
    }
  }
  out.steps = placement.steps();
  out.free_gpus = placement.free_gpus();
  return out;
}

namespace {

/// Takes one pod of that kind away from as many nodes of the group as can spare it. Nodes of a group are alike: where
/// one cannot, none can.
bool take_what_is_spare(Placement& placement, std::size_t group, std::size_t kind, Property property) {
  const PodKind& pod = placement.instance().kinds[kind];
  const std::int64_t least = std::max<std::int64_t>(1, placement.instance().gangs[pod.gang].guaranteed);
  for (std::int64_t nodes = placement.groups()[group].count; nodes > 0; nodes /= 2) {
    if (placement.held(pod.gang) - nodes < least || placement.held_of_kind(kind) - nodes < pod.least) continue;
    placement.instance().work_left -= 4 * static_cast<std::int64_t>(placement.groups().size());
    if (placement.instance().work_left <= 0) return false;
    Placement without = placement;
    without.take_away(group, nodes, kind);
    if (!without.breaks(property)) continue;
    placement = std::move(without);
    return true;
  }
  return false;
}

}  // namespace

void shrink(Placement& placement, Property property) {
  const Instance& instance = placement.instance();
  // The smallest gangs first: what is left are few large ones.
  std::vector<std::size_t> gangs;
  for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
    if (placement.held(g) > 0) gangs.push_back(g);
  }
  std::ranges::stable_sort(gangs, {}, [&](std::size_t g) { return placement.held(g); });
  // One that was needed may be spare when another is gone.
  for (bool fewer = true; fewer;) {
    fewer = false;
    for (const std::size_t gang : gangs) {
      if (placement.held(gang) == 0) continue;
      instance.work_left -= 4 * static_cast<std::int64_t>(placement.groups().size());
      if (instance.work_left <= 0) return;  // not as small as it might be
      Placement without = placement;
      without.remove(gang);
      if (!without.breaks(property)) continue;
      placement = std::move(without);
      fewer = true;
    }
  }
  if (property != Property::AllOrNothing)
    return;  // a pod of a gang that has to be stuck would fit where it was taken from
  for (std::size_t g = 0; g < placement.groups().size(); ++g) {
    for (std::size_t at = 0; at < placement.groups()[g].pods.size();) {
      if (!take_what_is_spare(placement, g, placement.groups()[g].pods[at].first, property)) ++at;
    }
  }
}

}  // namespace muster::prove
