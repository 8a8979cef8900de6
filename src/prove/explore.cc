#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "prove/engines.h"

namespace muster::prove {
namespace {

/// Numbers of node states in order, a node each, then the flags: equal where only like nodes differ.
using State = std::vector<std::uint32_t>;

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::size_t hash = 1469598103934665603U;
    for (const std::uint32_t word : state) hash = (hash ^ word) * 1099511628211U;
    return hash;
  }
};

struct NodeState {
  std::size_t node_class = 0;
  Amounts free{};
  std::vector<std::int32_t> pods;  ///< by kind
};

/// One pod that came to, or went from, a node in that state.
struct Move {
  std::uint32_t node = 0;
  std::size_t kind = 0;
  int pods = 1;
};

struct Seen {
  State state;
  std::size_t parent = 0;
  std::vector<Move> moves;  ///< what led here from the parent, together
};

constexpr std::int64_t kMaxNodes = 64;

class Explorer {
 public:
  Explorer(const Instance& instance, Property property, std::int64_t budget)
      : instance_(instance), property_(property), budget_(budget), in_order_(instance.faults == 0 && !instance.serial) {
    find_like_gangs();
  }

  Answer run() {
    Answer answer;
    answer.engine = Engine::Exploration;
    std::int64_t nodes = 0;
    for (const NodeClass& c : instance_.classes) nodes += c.count;
    if (nodes > kMaxNodes || instance_.gangs.size() > kMaxNodes) {
      answer.reason = "no plan to block it was found, no bound excludes one, and there are too many nodes or gangs to see every state";
      answer.budget_exhausted = true;
      return answer;
    }
    add(start(), 0, {});
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      answer.states = static_cast<std::int64_t>(seen_.size());
      const bool bad = is_bad(seen_[at].state);
      if (bad && !too_many_) {
        answer.verdict = Verdict::Counterexample;
        answer.counterexample = trace(at);
        return answer;
      }
      if (answer.states > budget_ || too_many_) {
        answer.budget_exhausted = true;
        answer.reason = "no plan to block it was found, no bound excludes one, and " + std::to_string(budget_) + " states were not all there are";
        return answer;
      }
      expand(at);
    }
    if (too_many_) {
      answer.budget_exhausted = true;
      answer.reason = "no plan to block it was found, no bound excludes one, and there are too many ways to place one gang";
      return answer;
    }
    answer.verdict = Verdict::Holds;
    answer.reason = "none of the " + std::to_string(seen_.size()) + " states that can come about breaks it";
    answer.certificate.kind = ProofCertificate::Kind::AllStates;
    answer.certificate.states = answer.states;
    return answer;
  }

 private:
  struct Held {
    std::vector<std::int64_t> kinds;
    std::vector<std::int64_t> gangs;
    std::vector<std::int32_t> domains;  ///< by tie
  };

  std::size_t node_count(const State& state) const { return state.size() - 2; }

  std::uint32_t intern(NodeState node) {
    std::vector<std::int32_t> key = node.pods;
    key.push_back(static_cast<std::int32_t>(node.node_class));
    const auto [found, is_new] = numbers_.emplace(std::move(key), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(std::move(node));
    return found->second;
  }

  State start() {
    State state;
    for (std::size_t c = 0; c < instance_.classes.size(); ++c) {
      const std::uint32_t empty = intern({c, instance_.classes[c].free, std::vector<std::int32_t>(instance_.kinds.size())});
      state.insert(state.end(), static_cast<std::size_t>(instance_.classes[c].count), empty);
    }
    std::ranges::sort(state);
    state.push_back(0);                                              // gangs that were once bound: they give nothing back
    state.push_back(static_cast<std::uint32_t>(instance_.faults));   // faults that are left
    return state;
  }

  void add(State state, std::size_t parent, std::vector<Move> moves) {
    if (!known_.insert(state).second) return;
    seen_.push_back({std::move(state), parent, std::move(moves)});
  }

  void find_like_gangs() {
    for (std::size_t g = 0; g + 1 < instance_.gangs.size(); ++g) {
      const GangSpec& a = instance_.gangs[g];
      const GangSpec& b = instance_.gangs[g + 1];
      bool like = a.kinds == b.kinds && a.pods == b.pods && a.guaranteed == b.guaranteed && a.hold_until == b.hold_until && a.by_quota == b.by_quota &&
                  a.coupled == b.coupled && a.preempts == b.preempts && a.priority == b.priority && a.ties == b.ties;
      for (std::size_t k = 0; like && k < a.kinds; ++k) {
        const PodKind& x = instance_.kinds[a.first_kind + k];
        const PodKind& y = instance_.kinds[b.first_kind + k];
        like = x.count == y.count && x.least == y.least && x.need == y.need && x.eligible == y.eligible && x.ties.size() == y.ties.size();
        for (std::size_t t = 0; like && t < x.ties.size(); ++t) {
          like = x.ties[t] - a.first_tie == y.ties[t] - b.first_tie && instance_.ties[x.ties[t]].level == instance_.ties[y.ties[t]].level;
        }
      }
      like_next_.push_back(like && in_order_ ? 1 : 0);
    }
    like_next_.push_back(0);
  }

  Held held_in(const State& state) const {
    Held held{std::vector<std::int64_t>(instance_.kinds.size()), std::vector<std::int64_t>(instance_.gangs.size()),
              std::vector<std::int32_t>(instance_.ties.size(), -1)};
    for (std::size_t n = 0; n < node_count(state); ++n) {
      const NodeState& node = nodes_[state[n]];
      for (std::size_t k = 0; k < node.pods.size(); ++k) {
        if (node.pods[k] == 0) continue;
        const std::size_t gang = instance_.kinds[k].gang;
        held.kinds[k] += node.pods[k];
        held.gangs[gang] += node.pods[k];
        for (const std::size_t tie : instance_.kinds[k].ties) held.domains[tie] = domain_of(instance_, node.node_class, tie);
      }
    }
    return held;
  }

  bool takes(const NodeState& node, std::size_t kind, const Held& held) const {
    const PodKind& pod = instance_.kinds[kind];
    if (held.kinds[kind] >= pod.count || pod.eligible[node.node_class] == 0 || room_for(node.free, pod.need) == 0) return false;
    return std::ranges::all_of(pod.ties, [&](std::size_t tie) {
      const std::int32_t domain = domain_of(instance_, node.node_class, tie);
      return domain >= 0 && (held.domains[tie] < 0 || held.domains[tie] == domain);
    });
  }

  State moved(const State& state, const Move& move) {
    State out = state;
    NodeState node = nodes_[move.node];
    node.pods[move.kind] += move.pods;
    take(node.free, instance_.kinds[move.kind].need, move.pods);
    const std::uint32_t number = intern(std::move(node));
    const auto end = out.end() - 2;
    *std::lower_bound(out.begin(), end, move.node) = number;
    std::sort(out.begin(), end);
    return out;
  }

  /// Every way to place so many pods of a gang at once, with what led there.
  std::map<State, std::vector<Move>> commits(const State& from, std::size_t gang, std::int64_t pods, bool first) {
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
        if (static_cast<std::int64_t>(next.size()) > budget_) {
          too_many_ = true;
          return {};
        }
      }
      front = std::move(next);
    }
    if (first) {
      std::erase_if(front, [&](const auto& entry) {
        const Held held = held_in(entry.first);
        for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) {
          if (held.kinds[kind] < instance_.kinds[kind].least) return true;
        }
        return false;
      });
    }
    return front;
  }

  static std::int64_t at_once(const GangSpec& spec, std::int64_t held) { return held < spec.guaranteed ? spec.guaranteed - held : 1; }

  bool admitted(std::size_t gang, const Held& held) const {
    if (!instance_.gangs[gang].by_quota || held.gangs[gang] > 0) return true;
    std::int64_t sum = instance_.gangs[gang].gpus;
    for (std::size_t other = 0; other < held.gangs.size(); ++other) {
      if (held.gangs[other] == 0 || !instance_.gangs[other].by_quota) continue;
      if (instance_.serial && held.gangs[other] < instance_.gangs[other].pods) return false;
      sum += instance_.gangs[other].gpus;
    }
    return !instance_.quota || sum <= *instance_.quota;
  }

  void expand(std::size_t at) {
    const State state = seen_[at].state;
    const Held held = held_in(state);
    std::size_t first = 0;
    if (in_order_) {  // what is reached in any order is reached gang by gang
      for (std::size_t g = 0; g < held.gangs.size(); ++g) {
        if (held.gangs[g] > 0) first = g;
      }
    }
    for (std::size_t gang = first; gang < held.gangs.size(); ++gang) {
      const GangSpec& spec = instance_.gangs[gang];
      if (held.gangs[gang] == spec.pods || !admitted(gang, held)) continue;
      const bool first_commit = held.gangs[gang] < spec.guaranteed;
      for (auto& [to, moves] : commits(state, gang, at_once(spec, held.gangs[gang]), first_commit)) {
        // Of like gangs the earlier holds no less than the later.
        if (gang > 0 && like_next_[gang - 1] != 0 && held.gangs[gang] + static_cast<std::int64_t>(moves.size()) > held.gangs[gang - 1]) continue;
        add(with_flags(to, gang, held.gangs[gang] + static_cast<std::int64_t>(moves.size())), at, moves);
      }
    }
    if (state.back() > 0) lose_pods(at, state);
  }

  State with_flags(State state, std::size_t gang, std::int64_t held) const {
    if (instance_.faults > 0 && gang < 32 && instance_.gangs[gang].hold_until > 0 && held >= instance_.gangs[gang].hold_until) {
      state[state.size() - 2] |= std::uint32_t{1} << gang;
    }
    return state;
  }

  void lose_pods(std::size_t at, const State& state) {
    for (std::size_t n = 0; n < node_count(state); ++n) {
      if (n > 0 && state[n] == state[n - 1]) continue;
      for (std::size_t kind = 0; kind < instance_.kinds.size(); ++kind) {
        if (nodes_[state[n]].pods[kind] == 0) continue;
        const Move move{state[n], kind, -1};
        State to = moved(state, move);
        --to.back();
        add(std::move(to), at, {move});
      }
    }
  }

  bool gives_back(const State& state, std::size_t gang, const Held& held) const {
    const bool was_bound = gang < 32 && (state[state.size() - 2] >> gang & 1) != 0;
    return held.gangs[gang] > 0 && held.gangs[gang] < instance_.gangs[gang].hold_until && !was_bound;
  }

  bool can_go_on(const State& state, std::size_t gang, const Held& held) {
    return !commits(state, gang, at_once(instance_.gangs[gang], held.gangs[gang]), false).empty();
  }

  bool is_stuck(const State& state, std::size_t gang, const Held& held) {
    if (can_go_on(state, gang, held)) return false;
    const GangSpec& spec = instance_.gangs[gang];
    if (!spec.preempts) return true;
    State without = state;
    for (std::size_t n = 0; n < node_count(state); ++n) {
      NodeState node = nodes_[state[n]];
      for (std::size_t kind = 0; kind < node.pods.size(); ++kind) {
        if (node.pods[kind] == 0 || instance_.gangs[instance_.kinds[kind].gang].priority >= spec.priority) continue;
        take(node.free, instance_.kinds[kind].need, -node.pods[kind]);
        node.pods[kind] = 0;
      }
      without[n] = intern(std::move(node));
    }
    std::sort(without.begin(), without.end() - 2);
    return !can_go_on(without, gang, held_in(without));
  }

  bool is_bad(const State& state) {
    const Held held = held_in(state);
    if (property_ == Property::AllOrNothing) {
      for (std::size_t g = 0; g < held.gangs.size(); ++g) {
        const GangSpec& spec = instance_.gangs[g];
        if (spec.coupled && held.gangs[g] > 0 && held.gangs[g] < spec.pods && is_stuck(state, g, held)) return true;
      }
      return false;
    }
    bool any = false;
    bool gives = false;
    for (std::size_t g = 0; g < held.gangs.size(); ++g) {
      if (held.gangs[g] == 0) continue;
      if (held.gangs[g] == instance_.gangs[g].pods || !instance_.gangs[g].coupled) return false;
      any = true;
      gives = gives || gives_back(state, g, held);
    }
    if (!any || gives != (property_ == Property::NoLivelock)) return false;
    for (std::size_t g = 0; g < held.gangs.size(); ++g) {
      if (held.gangs[g] > 0 && !is_stuck(state, g, held)) return false;
    }
    return true;
  }

  ProofCounterexample trace(std::size_t at) {
    std::vector<std::size_t> path;
    for (std::size_t i = at; i != 0; i = seen_[i].parent) path.push_back(i);
    std::ranges::reverse(path);
    // Single nodes, each with the state it is in.
    std::vector<std::uint32_t> states;
    std::vector<std::pair<std::size_t, std::int64_t>> names;
    for (std::size_t c = 0; c < instance_.classes.size(); ++c) {
      for (std::int64_t n = 0; n < instance_.classes[c].count; ++n) {
        names.emplace_back(instance_.classes[c].pool, instance_.classes[c].first + n);
        states.push_back(intern({c, instance_.classes[c].free, std::vector<std::int32_t>(instance_.kinds.size())}));
      }
    }
    ProofCounterexample out;
    std::int64_t commit = 0;
    for (const std::size_t step : path) {
      ++commit;
      for (const Move& move : seen_[step].moves) {
        const std::size_t n = static_cast<std::size_t>(std::ranges::find(states, move.node) - states.begin());
        NodeState node = nodes_[states[n]];
        node.pods[move.kind] += move.pods;
        take(node.free, instance_.kinds[move.kind].need, move.pods);
        states[n] = intern(std::move(node));
        const PodKind& pod = instance_.kinds[move.kind];
        out.steps.push_back({commit, instance_.gangs[pod.gang].gang, pod.role, names[n].first, names[n].second, move.pods});
      }
    }
    for (const std::uint32_t node : states) out.free_gpus += nodes_[node].free[0];
    add_holds(seen_[at].state, out);
    return out;
  }

  void add_holds(const State& state, ProofCounterexample& out) {
    const Held held = held_in(state);
    for (const bool stuck : {true, false}) {
      for (std::size_t g = 0; g < held.gangs.size(); ++g) {
        const GangSpec& spec = instance_.gangs[g];
        if (held.gangs[g] == 0) continue;
        const bool is = held.gangs[g] < spec.pods && (property_ != Property::AllOrNothing || (spec.coupled && is_stuck(state, g, held)));
        if (is == stuck) out.holds.push_back({spec.gang, held.gangs[g], spec.pods});
      }
    }
  }

  const Instance& instance_;
  const Property property_;
  const std::int64_t budget_;
  const bool in_order_;  ///< gangs may be taken one after the other
  std::vector<char> like_next_;
  std::deque<NodeState> nodes_;
  std::map<std::vector<std::int32_t>, std::uint32_t> numbers_;
  std::vector<Seen> seen_;
  bool too_many_ = false;  ///< ways to place one commit
  std::unordered_set<State, StateHash> known_;
};

}  // namespace

Answer explore(const Instance& instance, Property property, std::int64_t budget) {
  if (std::ranges::any_of(instance.gangs, &GangSpec::one_per_node)) {
    Answer unknown;
    unknown.reason = "states in which a node takes one pod of a gang at most are not searched in full";
    return unknown;
  }
  return Explorer(instance, property, budget).run();
}

}  // namespace muster::prove
