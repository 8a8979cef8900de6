#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

/// Numbers of node states in order, a node each, then the marks: equal where only like nodes differ.
using State = std::vector<std::uint32_t>;

/// Pods of one kind that came to, or went from, a node in that state.
struct Move {
  std::uint32_t node = 0;
  std::size_t kind = 0;
  int pods = 1;
};

/// What happens at once.
struct Transition {
  std::vector<Move> moves;
  StepCause cause = StepCause::Place;
  std::size_t by = 0;  ///< Evict: the gang it makes way for
};

struct Held {
  std::vector<std::int64_t> kinds;
  std::vector<std::int64_t> gangs;
  std::vector<std::int32_t> domains;  ///< by tie
  std::vector<char> settled;          ///< by gang
};

/// The transition system of docs/prover.md over single nodes, like nodes not told apart.
class StateSpace {
 public:
  /// `most_ways`: to place one commit.
  StateSpace(const Instance& instance, std::int64_t most_ways);

  State start();
  Held held_in(const State& state) const;
  /// Every step from there. Where nothing but placements can happen, gangs are placed one after the other and of like
  /// gangs an earlier one holds no less: what is reached otherwise is reached so as well, up to renaming.
  void each_step(const State& from, const std::function<void(State, Transition)>& visit);

  /// No next commit of the gang fits, not even where gangs of lower priority give way.
  bool is_stuck(const State& state, std::size_t gang, const Held& held);
  bool gives_back(std::size_t gang, const Held& held) const;

  /// Some commit can be made in too many ways, or the work is used up: what was visited is not all.
  bool gave_up() const { return too_many_ || instance_.work_left <= 0; }

  /// The same transitions node by node.
  std::vector<ProofStep> steps_of(const std::vector<const Transition*>& path);
  std::int64_t free_gpus(const State& state) const;

 private:
  struct NodeState {
    std::size_t node_class = 0;
    Amounts free{};
    std::vector<std::int32_t> pods;  ///< by kind
  };

  std::size_t node_count(const State& state) const { return state.size() - marks_ - 1; }
  std::uint32_t intern(NodeState node);
  void find_like_gangs();
  bool are_like(const GangSpec& a, const GangSpec& b) const;
  bool has_its_pod(const NodeState& node, std::size_t gang) const;
  bool takes(const NodeState& node, std::size_t kind, const Held& held) const;
  std::uint32_t after(const Move& move);
  State moved(const State& state, const Move& move);
  std::map<State, std::vector<Move>> commits(const State& from, std::size_t gang, std::int64_t pods, bool first);
  std::map<State, std::vector<Move>> next_commits(const State& state, std::size_t gang, const Held& held);
  State with_marks(State state) const;
  State without(const State& state, const std::function<bool(std::size_t)>& goes, std::vector<Move>* moves);
  void place(const State& from, const Held& held, const std::function<void(State, Transition)>& visit);
  void lose(const State& from, const std::function<void(State, Transition)>& visit);
  void leave(const State& from, const Held& held, const std::function<void(State, Transition)>& visit);
  void evict(const State& from, const Held& held, const std::function<void(State, Transition)>& visit);
  void take_away(const State& from, const Move& move, const Transition& kind_of,
                 const std::function<void(State, Transition)>& visit);
  void take_gang(const State& from, std::size_t gang, Transition step,
                 const std::function<void(State, Transition)>& visit);
  State without_below(const State& state, std::int64_t priority);
  bool would_stand_on(std::uint32_t node, const GangSpec& gang, const Held& held) const;

  const Instance& instance_;
  const std::int64_t most_ways_;
  const bool only_placements_;  ///< gangs may be taken one after the other
  const std::size_t marks_;     ///< words with a bit for each gang that was whole once
  std::vector<char> like_next_;
  std::deque<NodeState> nodes_;
  std::map<std::vector<std::int32_t>, std::uint32_t> numbers_;
  bool too_many_ = false;
};

}  // namespace muster::prove
