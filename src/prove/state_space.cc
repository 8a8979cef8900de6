#include "prove/state_space.h"

#include <algorithm>

namespace muster::prove {
namespace {

bool is_plain(const Instance& instance) {
  const bool leftovers =
      std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return !gang.coupled && gang.guaranteed > 1; });
  return instance.faults == 0 && !has_serial(instance) && !instance.evicts && !leftovers;
}

/// Pods of the next commit. What pods that finish one by one leave is filled up one by one.
std::int64_t at_once(const GangSpec& gang, std::int64_t held) {
  if (!gang.coupled && held > 0) return 1;
  return held < gang.guaranteed ? gang.guaranteed - held : 1;
}

}  // namespace

StateSpace::StateSpace(const Instance& instance, std::int64_t most_ways)
    : instance_(instance),
      most_ways_(most_ways),
      only_placements_(is_plain(instance)),
      marks_(instance.gangs.size() / 32 + 1) {
  find_like_gangs();
}

std::uint32_t StateSpace::intern(NodeState node) {
  std::vector<std::int32_t> key = node.pods;
  key.push_back(static_cast<std::int32_t>(node.node_class));
  const auto [found, is_new] = numbers_.emplace(std::move(key), static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(std::move(node));
  return found->second;
}

State StateSpace::start() {
  State state;
  for (std::size_t c = 0; c < instance_.classes.size(); ++c) {
    const std::uint32_t empty =
        intern({c, instance_.classes[c].free, std::vector<std::int32_t>(instance_.kinds.size())});
    state.insert(state.end(), static_cast<std::size_t>(instance_.classes[c].count), empty);
  }
  std::ranges::sort(state);
  state.insert(state.end(), marks_, 0);                           // gangs that were whole once
  state.push_back(static_cast<std::uint32_t>(instance_.faults));  // faults that are left
  return state;
}

bool StateSpace::are_like(const GangSpec& a, const GangSpec& b) const {
  bool like = a.kinds == b.kinds && a.pods == b.pods && a.guaranteed == b.guaranteed && a.hold_until == b.hold_until &&
              a.by_quota == b.by_quota && a.coupled == b.coupled && a.preempts == b.preempts &&
              a.priority == b.priority && a.ties == b.ties && a.queue == b.queue && a.one_per_node == b.one_per_node;
  for (std::size_t k = 0; like && k < a.kinds; ++k) {
    const PodKind& x = instance_.kinds[a.first_kind + k];
    const PodKind& y = instance_.kinds[b.first_kind + k];
    like = x.count == y.count && x.least == y.least && x.need == y.need && x.eligible == y.eligible &&
           x.ties.size() == y.ties.size();
    for (std::size_t t = 0; like && t < x.ties.size(); ++t) {
      like = x.ties[t] - a.first_tie == y.ties[t] - b.first_tie &&
             instance_.ties[x.ties[t]].level == instance_.ties[y.ties[t]].level;
    }
  }
  return like;
}

void StateSpace::find_like_gangs() {
  for (std::size_t g = 0; g + 1 < instance_.gangs.size(); ++g) {
    like_next_.push_back(only_placements_ && are_like(instance_.gangs[g], instance_.gangs[g + 1]) ? 1 : 0);
  }
  like_next_.push_back(0);
}

Held StateSpace::held_in(const State& state) const {
  Held held{std::vector<std::int64_t>(instance_.kinds.size()), std::vector<std::int64_t>(instance_.gangs.size()),
            std::vector<std::int32_t>(instance_.ties.size(), -1), std::vector<char>(instance_.gangs.size())};
  for (std::size_t n = 0; n < node_count(state); ++n) {
    const NodeState& node = nodes_[state[n]];
    for (std::size_t k = 0; k < node.pods.size(); ++k) {
      if (node.pods[k] == 0) continue;
      held.kinds[k] += node.pods[k];
      held.gangs[instance_.kinds[k].gang] += node.pods[k];
      for (const std::size_t tie : instance_.kinds[k].ties)
        held.domains[tie] = domain_of(instance_, node.node_class, tie);
    }
  }
  for (std::size_t g = 0; g < held.settled.size(); ++g)
    held.settled[g] = (state[node_count(state) + g / 32] >> (g % 32) & 1) != 0 ? 1 : 0;
  instance_.work_left -= static_cast<std::int64_t>(state.size());
  return held;
}

/// Of a gang that takes no node twice.
bool StateSpace::has_its_pod(const NodeState& node, std::size_t gang) const {
  const GangSpec& spec = instance_.gangs[gang];
  if (!spec.one_per_node) return false;
  const auto first = node.pods.begin() + static_cast<std::ptrdiff_t>(spec.first_kind);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(spec.kinds),
                     [](std::int32_t pods) { return pods > 0; });
}

bool StateSpace::takes(const NodeState& node, std::size_t kind, const Held& held) const {
  const PodKind& pod = instance_.kinds[kind];
  if (held.kinds[kind] >= pod.count || pod.eligible[node.node_class] == 0 || room_for(node.free, pod.need) == 0)
    return false;
  const std::int64_t taken = taken_beside(instance_, pod.gang, held.gangs, held.kinds);
  if (has_its_pod(node, pod.gang) || queue_room(instance_, kind, taken) == 0) return false;
  return std::ranges::all_of(pod.ties, [&](std::size_t tie) {
    const std::int32_t domain = domain_of(instance_, node.node_class, tie);
    return domain >= 0 && (held.domains[tie] < 0 || held.domains[tie] == domain);
  });
}

std::uint32_t StateSpace::after(const Move& move) {
  NodeState node = nodes_[move.node];
  node.pods[move.kind] += move.pods;
  take(node.free, instance_.kinds[move.kind].need, move.pods);
  return intern(std::move(node));
}

State StateSpace::moved(const State& state, const Move& move) {
  instance_.work_left -= static_cast<std::int64_t>(state.size()) + 20;
  State out = state;
  const std::uint32_t number = after(move);
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(node_count(state));
  *std::lower_bound(out.begin(), end, move.node) = number;
  std::sort(out.begin(), end);
  return out;
}

/// Every way to place so many pods of a gang at once, with what led there.
std::map<State, std::vector<Move>> StateSpace::commits(const State& from, std::size_t gang, std::int64_t pods,
                                                       bool first) {
  const GangSpec& spec = instance_.gangs[gang];
  std::map<State, std::vector<Move>> front{{from, {}}};
  for (std::int64_t i = 0; i < pods; ++i) {
    std::map<State, std::vector<Move>> next;
    for (const auto& [state, moves] : front) {
      const Held held = held_in(state);
      for (std::size_t n = 0; n < node_count(state); ++n) {
        if (n > 0 && state[n] == state[n - 1]) continue;
        for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) {
          if (!takes(nodes_[state[n]], kind, held)) continue;
          const Move move{state[n], kind, 1};
          State to = moved(state, move);
          if (next.contains(to)) continue;
          std::vector<Move> all = moves;
          all.push_back(move);
          next.emplace(std::move(to), std::move(all));
        }
      }
      too_many_ = too_many_ || static_cast<std::int64_t>(next.size()) > most_ways_;
      if (gave_up()) return {};
    }
    front = std::move(next);
  }
  if (!first) return front;
  std::erase_if(front, [&](const auto& entry) {
    const Held held = held_in(entry.first);
    for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) {
      if (held.kinds[kind] < instance_.kinds[kind].least) return true;
    }
    return false;
  });
  return front;
}

std::map<State, std::vector<Move>> StateSpace::next_commits(const State& state, std::size_t gang, const Held& held) {
  const GangSpec& spec = instance_.gangs[gang];
  const std::int64_t taken = taken_beside(instance_, gang, held.gangs, held.kinds);
  if (held.gangs[gang] == spec.pods || !admits(instance_, gang, held.gangs, taken, &held.settled)) return {};
  const bool first = held.gangs[gang] < spec.guaranteed && (spec.coupled || held.gangs[gang] == 0);
  return commits(state, gang, at_once(spec, held.gangs[gang]), first);
}

/// Marks gangs that are whole, and forgets those that hold nothing any more.
State StateSpace::with_marks(State state) const {
  if (only_placements_) return state;
  const Held held = held_in(state);
  const std::size_t first = node_count(state);
  for (std::size_t g = 0; g < held.gangs.size(); ++g) {
    const GangSpec& spec = instance_.gangs[g];
    const std::uint32_t bit = std::uint32_t{1} << (g % 32);
    const std::int64_t whole = spec.hold_until > 0 ? spec.hold_until : spec.pods;
    if (held.gangs[g] == 0) state[first + g / 32] &= ~bit;
    if ((spec.hold_until > 0 || spec.by_quota) && held.gangs[g] >= whole) state[first + g / 32] |= bit;
  }
  return state;
}

void StateSpace::each_step(const State& from, const std::function<void(State, Transition)>& visit) {
  const Held held = held_in(from);
  place(from, held, visit);
  if (only_placements_) return;
  if (from.back() > 0) lose(from, visit);
  leave(from, held, visit);
  if (instance_.evicts) evict(from, held, visit);
}

void StateSpace::place(const State& from, const Held& held, const std::function<void(State, Transition)>& visit) {
  std::size_t first = 0;
  for (std::size_t g = 0; only_placements_ && g < held.gangs.size(); ++g) first = held.gangs[g] > 0 ? g : first;
  for (std::size_t gang = first; gang < held.gangs.size(); ++gang) {
    for (auto& [to, moves] : next_commits(from, gang, held)) {
      // Of like gangs the earlier holds no less than the later.
      if (gang > 0 && like_next_[gang - 1] != 0 &&
          held.gangs[gang] + static_cast<std::int64_t>(moves.size()) > held.gangs[gang - 1])
        continue;
      visit(with_marks(to), {moves, StepCause::Place, 0});
    }
  }
}

void StateSpace::take_away(const State& from, const Move& move, const Transition& kind_of,
                           const std::function<void(State, Transition)>& visit) {
  State to = moved(from, move);
  if (kind_of.cause == StepCause::Fault) --to.back();
  visit(with_marks(std::move(to)), {{move}, kind_of.cause, kind_of.by});
}

void StateSpace::lose(const State& from, const std::function<void(State, Transition)>& visit) {
  for (std::size_t n = 0; n < node_count(from); ++n) {
    if (n > 0 && from[n] == from[n - 1]) continue;
    for (std::size_t kind = 0; kind < instance_.kinds.size(); ++kind) {
      if (nodes_[from[n]].pods[kind] > 0) take_away(from, {from[n], kind, -1}, {{}, StepCause::Fault, 0}, visit);
    }
  }
}

/// Pods that work alone finish one by one. That gangs finish, or give back what they hold, leads somewhere only where
/// they drove others away.
void StateSpace::leave(const State& from, const Held& held, const std::function<void(State, Transition)>& visit) {
  for (std::size_t n = 0; n < node_count(from); ++n) {
    if (n > 0 && from[n] == from[n - 1]) continue;
    for (std::size_t kind = 0; kind < instance_.kinds.size(); ++kind) {
      if (nodes_[from[n]].pods[kind] > 0 && !instance_.gangs[instance_.kinds[kind].gang].coupled)
        take_away(from, {from[n], kind, -1}, {{}, StepCause::Finish, 0}, visit);
    }
  }
  for (std::size_t gang = 0; instance_.evicts && gang < held.gangs.size(); ++gang) {
    if (held.gangs[gang] == instance_.gangs[gang].pods) take_gang(from, gang, {{}, StepCause::Finish, 0}, visit);
    if (gives_back(gang, held)) take_gang(from, gang, {{}, StepCause::GiveBack, 0}, visit);
  }
}

void StateSpace::take_gang(const State& from, std::size_t gang, Transition step,
                           const std::function<void(State, Transition)>& visit) {
  State to = without(
      from, [&](std::size_t kind) { return instance_.kinds[kind].gang == gang; }, &step.moves);
  visit(with_marks(std::move(to)), std::move(step));
}

State StateSpace::without(const State& state, const std::function<bool(std::size_t)>& goes, std::vector<Move>* moves) {
  instance_.work_left -= 4 * static_cast<std::int64_t>(state.size());
  State out = state;
  for (std::size_t n = 0; n < node_count(state); ++n) {
    for (std::size_t kind = 0; kind < instance_.kinds.size(); ++kind) {
      const std::int32_t pods = nodes_[out[n]].pods[kind];
      if (pods == 0 || !goes(kind)) continue;
      const Move move{out[n], kind, -pods};
      out[n] = after(move);
      if (moves != nullptr) moves->push_back(move);
    }
  }
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(node_count(state)));
  return out;
}

State StateSpace::without_below(const State& state, std::int64_t priority) {
  return with_marks(without(
      state, [&](std::size_t kind) { return instance_.gangs[instance_.kinds[kind].gang].priority < priority; },
      nullptr));
}

/// Whether a pod of the gang that is still to come would stand on the node, were those of lower priority gone.
bool StateSpace::would_stand_on(std::uint32_t node, const GangSpec& gang, const Held& held) const {
  NodeState cleared = nodes_[node];
  for (std::size_t kind = 0; kind < cleared.pods.size(); ++kind) {
    if (cleared.pods[kind] == 0 || instance_.gangs[instance_.kinds[kind].gang].priority >= gang.priority) continue;
    take(cleared.free, instance_.kinds[kind].need, -cleared.pods[kind]);
  }
  for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) {
    const PodKind& pod = instance_.kinds[kind];
    if (held.kinds[kind] >= pod.count || pod.eligible[cleared.node_class] == 0 ||
        room_for(cleared.free, pod.need) == 0 || has_its_pod(cleared, pod.gang))
      continue;
    const bool stands = std::ranges::all_of(pod.ties, [&](std::size_t tie) {
      const std::int32_t domain = domain_of(instance_, cleared.node_class, tie);
      return domain >= 0 && (held.domains[tie] < 0 || held.domains[tie] == domain);
    });
    if (stands) return true;
  }
  return false;
}

void StateSpace::evict(const State& from, const Held& held, const std::function<void(State, Transition)>& visit) {
  for (std::size_t gang = 0; gang < held.gangs.size(); ++gang) {
    const GangSpec& spec = instance_.gangs[gang];
    if (!spec.preempts || held.gangs[gang] == spec.pods || !next_commits(from, gang, held).empty()) continue;
    const State alone = without_below(from, spec.priority);
    if (next_commits(alone, gang, held_in(alone)).empty()) continue;
    for (std::size_t n = 0; n < node_count(from); ++n) {
      if ((n > 0 && from[n] == from[n - 1]) || !would_stand_on(from[n], spec, held)) continue;
      for (std::size_t kind = 0; kind < instance_.kinds.size(); ++kind) {
        const std::size_t victim = instance_.kinds[kind].gang;
        if (nodes_[from[n]].pods[kind] == 0 || instance_.gangs[victim].priority >= spec.priority) continue;
        const bool single =
            !instance_.gangs[victim].coupled || (spec.evicts_pods && !instance_.gangs[victim].restarts_whole);
        if (single) {
          take_away(from, {from[n], kind, -1}, {{}, StepCause::Evict, gang}, visit);
        } else {
          take_gang(from, victim, {{}, StepCause::Evict, gang}, visit);
        }
      }
    }
  }
}

bool StateSpace::gives_back(std::size_t gang, const Held& held) const {
  return held.gangs[gang] > 0 && held.gangs[gang] < instance_.gangs[gang].hold_until && held.settled[gang] == 0;
}

bool StateSpace::is_stuck(const State& state, std::size_t gang, const Held& held) {
  if (!next_commits(state, gang, held).empty()) return false;
  const GangSpec& spec = instance_.gangs[gang];
  if (!spec.preempts) return true;
  const State alone = without_below(state, spec.priority);
  return next_commits(alone, gang, held_in(alone)).empty();
}

std::vector<ProofStep> StateSpace::steps_of(const std::vector<const Transition*>& path) {
  // Single nodes, each with the state it is in.
  std::vector<std::uint32_t> states;
  std::vector<std::pair<std::size_t, std::int64_t>> names;
  for (std::size_t c = 0; c < instance_.classes.size(); ++c) {
    for (std::int64_t n = 0; n < instance_.classes[c].count; ++n) {
      names.emplace_back(instance_.classes[c].pool, instance_.classes[c].first + n);
      states.push_back(intern({c, instance_.classes[c].free, std::vector<std::int32_t>(instance_.kinds.size())}));
    }
  }
  std::vector<ProofStep> out;
  std::int64_t commit = 0;
  for (const Transition* step : path) {
    ++commit;
    for (const Move& move : step->moves) {
      const std::size_t n = static_cast<std::size_t>(std::ranges::find(states, move.node) - states.begin());
      states[n] = after(move);
      const PodKind& pod = instance_.kinds[move.kind];
      ProofStep made{
          commit, instance_.gangs[pod.gang].gang, pod.role, names[n].first, names[n].second, move.pods, step->cause, 0};
      if (step->cause == StepCause::Evict) made.by = instance_.gangs[step->by].gang;
      out.push_back(made);
    }
  }
  return out;
}

std::int64_t StateSpace::free_gpus(const State& state) const {
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < node_count(state); ++n) sum += nodes_[state[n]].free[0];
  return sum;
}

}  // namespace muster::prove
