#include <algorithm>
#include <unordered_set>

#include "prove/engines.h"
#include "prove/state_space.h"

namespace muster::prove {
namespace {

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::size_t hash = 1469598103934665603U;
    for (const std::uint32_t word : state) hash = (hash ^ word) * 1099511628211U;
    return hash;
  }
};

struct Seen {
  State state;
  std::size_t parent = 0;
  Transition step;  ///< what led here from the parent
};

constexpr std::int64_t kMaxNodes = 64;

class Explorer {
 public:
  Explorer(const Instance& instance, Property property, std::int64_t budget)
      : instance_(instance), property_(property), budget_(budget), space_(instance, budget) {}

  Answer run() {
    Answer answer;
    answer.engine = Engine::Exploration;
    std::int64_t nodes = 0;
    for (const NodeClass& c : instance_.classes) nodes += c.count;
    if (nodes > kMaxNodes || instance_.gangs.size() > kMaxNodes)
      return given_up(std::move(answer), "there are too many nodes or gangs to see every state");
    add(space_.start(), 0, {});
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      answer.states = static_cast<std::int64_t>(seen_.size());
      const bool bad = is_bad(seen_[at].state);
      if (bad && !space_.gave_up()) {
        answer.verdict = Verdict::Counterexample;
        answer.counterexample = trace(at);
        return answer;
      }
      if (answer.states > budget_)
        return given_up(std::move(answer), std::to_string(budget_) + " states were not all there are");
      const State from = seen_[at].state;
      space_.each_step(from, [&](State to, Transition step) { add(std::move(to), at, std::move(step)); });
      if (space_.gave_up()) return given_up(std::move(answer), "there are too many ways to place one gang");
    }
    answer.verdict = Verdict::Holds;
    answer.reason = "none of the " + std::to_string(seen_.size()) + " states that can come about breaks it";
    answer.certificate.kind = ProofCertificate::Kind::AllStates;
    answer.certificate.states = answer.states;
    return answer;
  }

 private:
  static Answer given_up(Answer answer, const std::string& why) {
    answer.budget_exhausted = true;
    answer.reason = "no plan to block it was found, no bound excludes one, and " + why;
    return answer;
  }

  void add(State state, std::size_t parent, Transition step) {
    if (!known_.insert(state).second) return;
    seen_.push_back({std::move(state), parent, std::move(step)});
  }

  bool is_bad(const State& state) {
    const Held held = space_.held_in(state);
    if (property_ == Property::AllOrNothing) {
      for (std::size_t g = 0; g < held.gangs.size(); ++g) {
        const GangSpec& spec = instance_.gangs[g];
        if (spec.coupled && held.gangs[g] > 0 && held.gangs[g] < spec.pods && space_.is_stuck(state, g, held))
          return true;
      }
      return false;
    }
    bool any = false;
    bool gives = false;
    for (std::size_t g = 0; g < held.gangs.size(); ++g) {
      if (held.gangs[g] == 0) continue;
      if (held.gangs[g] == instance_.gangs[g].pods || !instance_.gangs[g].coupled) return false;
      any = true;
      gives = gives || space_.gives_back(g, held);
    }
    if (!any || gives != (property_ == Property::NoLivelock)) return false;
    for (std::size_t g = 0; g < held.gangs.size(); ++g) {
      if (held.gangs[g] > 0 && !space_.is_stuck(state, g, held)) return false;
    }
    return true;
  }

  ProofCounterexample trace(std::size_t at) {
    std::vector<const Transition*> path;
    for (std::size_t i = at; i != 0; i = seen_[i].parent) path.push_back(&seen_[i].step);
    std::ranges::reverse(path);
    ProofCounterexample out;
    out.steps = space_.steps_of(path);
    out.free_gpus = space_.free_gpus(seen_[at].state);
    add_holds(seen_[at].state, out);
    return out;
  }

  void add_holds(const State& state, ProofCounterexample& out) {
    const Held held = space_.held_in(state);
    for (const bool stuck : {true, false}) {
      for (std::size_t g = 0; g < held.gangs.size(); ++g) {
        const GangSpec& spec = instance_.gangs[g];
        if (held.gangs[g] == 0) continue;
        const bool is = held.gangs[g] < spec.pods &&
                        (property_ != Property::AllOrNothing || (spec.coupled && space_.is_stuck(state, g, held)));
        if (is == stuck) out.holds.push_back({spec.gang, held.gangs[g], spec.pods});
      }
    }
  }

  const Instance& instance_;
  const Property property_;
  const std::int64_t budget_;
  StateSpace space_;
  std::vector<Seen> seen_;
  std::unordered_set<State, StateHash> known_;
};

}  // namespace

Answer explore(const Instance& instance, Property property, std::int64_t budget) {
  return Explorer(instance, property, budget).run();
}

}  // namespace muster::prove
