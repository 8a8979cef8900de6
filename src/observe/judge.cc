#include "observe/judge.h"

#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/pod_template.h"

namespace muster {
namespace {

constexpr std::int64_t kBudget = 50'000'000;  // looks at nodes, of one question

const char* const kDecidesNodes = "kubectl get nodes -o json";

class Judge {
 public:
  Judge(const Snapshot& snapshot, std::vector<PodUnit> units, Observed& out)
      : snapshot_(snapshot),
        units_(std::move(units)),
        board_(snapshot, units_),
        nodes_known_(!snapshot.nodes.empty()),
        out_(out) {}

  void run() {
    judge_special();
    if (!board_.candidates().empty()) judge_candidates();
    count_gpus();
    tell_gaps();
    publish();
  }

 private:
  static bool concerns_gpus(const PodUnit& unit) {
    return unit.shown.gpus > 0 || unit.wanted_gpus > 0 || !unit.gpus_known;
  }

  static void stuck(PodUnit& unit, Until until, std::string why) {
    unit.shown.state = GangState::Stuck;
    unit.shown.until = until;
    unit.shown.why = std::move(why);
  }
  static void undecided(PodUnit& unit, std::string why) {
    unit.shown.state = GangState::Undecided;
    unit.shown.why = std::move(why);
  }

  /// Those that no count of what is free decides.
  void judge_special() {
    for (PodUnit& unit : units_) {
      if (!unit.candidate) continue;
      if (unit.gated)
        stuck(unit, Until::Change,
              "its pods that wait have scheduling gates: no scheduler looks at them before somebody removes the gates");
      if (!unit.gated && !unit.gpus_known)
        undecided(unit, "its pods that wait get their GPUs by a claim or in parts: how many is not in the input");
    }
  }

  void judge_candidates() {
    const std::vector<char> nobody(board_.candidates().size(), 0);
    std::int64_t budget = kBudget;
    const WaitOutcome now = progress_of(board_.now(), nobody, budget);
    const WaitWorld later_world = board_.after_all_ends();
    budget = kBudget;
    const WaitOutcome later = progress_of(later_world, nobody, budget);
    for (std::size_t g = 0; g < nobody.size(); ++g) {
      PodUnit& unit = units_[board_.candidates()[g]];
      const bool blocked = std::ranges::binary_search(now.stuck, g);
      const bool for_ever = std::ranges::binary_search(later.stuck, g);
      if (!blocked) judge_unblocked(unit, std::ranges::find(now.at_once, g) != now.at_once.end());
      if (blocked)
        judge_blocked(unit, for_ever, (for_ever ? later.gave_up : now.gave_up) || board_.too_large(), later_world, g);
    }
    std::vector<std::size_t> members;
    for (const std::size_t g : now.stuck) {
      if (units_[board_.candidates()[g]].shown.state == GangState::Stuck) members.push_back(g);
    }
    if (members.empty()) return;
    for (const std::size_t g : shortest_cycle(board_.now(), members)) out_.cycle.push_back(board_.candidates()[g]);
    find_eviction(now, later, later_world);
  }

  void judge_unblocked(PodUnit& unit, bool at_once) {
    const std::string& message = unit.shown.waits.empty() ? unit.message : unit.shown.waits.front().message;
    const Tell* tell = recognise_tell(message);
    if (!at_once) return stuck(unit, Until::Others, "goes on when other gangs that can go on now have ended");
    if (tell != nullptr && (tell->about == TellAbout::Quota || tell->about == TellAbout::Fault)) {
      const bool queued = tell->about == TellAbout::Quota && !unit.shown.queue.empty();
      return stuck(unit, Until::Change,
                   "there is room for its pods; the scheduler gives another reason" +
                       (queued ? " (queue `" + unit.shown.queue + "`)" : std::string()));
    }
    unit.shown.state = GangState::Starts;
    unit.shown.why = unit.judged ? "there is room for its pods, though the scheduler saw none when it last looked"
                                 : "there is room for its pods";
    doubts_free_ = doubts_free_ || unit.judged;
  }

  void judge_blocked(PodUnit& unit, bool for_ever, bool gave_up, const WaitWorld& later, std::size_t gang) {
    if (!nodes_known_ && !unit.judged)
      return undecided(unit, "no scheduler has looked at its pods that wait, and what is free is not known");
    if (gave_up) return stuck(unit, Until::Unknown, "there are too many ways to place its pods to try them all");
    if (!for_ever) return stuck(unit, Until::Others, "its pods find no place before something that runs has ended");
    if (!nodes_known_)
      return stuck(unit, Until::Unknown, "the scheduler finds no place for its pods; what is free is not in the input");
    if (board_.strangers() > 0)
      return stuck(unit, Until::Unknown, "what is free on nodes that are not in the input may be enough");
    const bool alone = board_.never_fits(later, gang);
    stuck(unit, Until::Never,
          alone ? "what it waits for does not fit the nodes that it may use, even when no other gang holds anything"
                : "waits for what other stuck gangs hold");
  }

  /// First without waiting for anything that runs; where that takes all of them, once all that can end has ended.
  void find_eviction(const WaitOutcome& now, const WaitOutcome& later, const WaitWorld& later_world) {
    Eviction eviction = smallest_eviction(board_.now(), kBudget);
    bool needs_ends = false;
    if (eviction.gangs.size() >= now.stuck.size()) {
      if (later.stuck.empty() || !nodes_known_) return;
      eviction = smallest_eviction(later_world, kBudget);
      needs_ends = true;
    }
    ObservedEviction shown;
    shown.gpus = eviction.gpus;
    shown.method = eviction.method;
    shown.needs_ends = needs_ends;
    std::vector<char> evicted(now.stuck.size() + now.order.size(), 0);
    for (const std::size_t g : eviction.gangs) evicted[g] = 1, shown.gangs.push_back(board_.candidates()[g]);
    std::int64_t budget = kBudget;
    const WaitOutcome after = progress_of(needs_ends ? later_world : board_.now(), evicted, budget);
    std::vector<std::size_t> others;
    for (const std::size_t g : after.order) {
      if (std::ranges::binary_search(now.stuck, g)) others.push_back(g);  // the rest goes on anyway
    }
    const std::vector<std::size_t> first = side_by_side(needs_ends ? later_world : board_.now(), evicted, others);
    for (const std::size_t g : others)
      (std::ranges::find(first, g) != first.end() ? shown.at_once : shown.after).push_back(board_.candidates()[g]);
    out_.eviction = std::move(shown);
  }

  std::int64_t gpus_in(const Asks& asks) const {
    std::int64_t sum = 0;
    for (const auto& [resource, amount] : asks) {
      if (is_accelerator(snapshot_.resources.text_of(resource))) sum = add_capped(sum, amount);
    }
    return sum;
  }

  void count_gpus() {
    std::int64_t total = 0;
    std::int64_t used = 0;
    std::int64_t held = 0;
    for (const auto& [name, node] : snapshot_.nodes) total = add_capped(total, gpus_in(node.capacity));
    for (const auto& [key, pod] : snapshot_.pods) {
      if ((pod.state != PodState::Bound && pod.state != PodState::Leaving) || pod.node.empty()) continue;
      held = add_capped(held, pod.gpus);
      if (snapshot_.nodes.contains(pod.node)) used = add_capped(used, pod.gpus);
    }
    out_.pods = static_cast<std::int64_t>(snapshot_.pods.size());
    out_.nodes += static_cast<std::int64_t>(snapshot_.nodes.size());
    out_.held_gpus = add_capped(out_.held_gpus, held);
    if (!nodes_known_) return;
    out_.total_gpus = add_capped(out_.total_gpus.value_or(0), total);
    out_.free_gpus = add_capped(out_.free_gpus.value_or(0), std::max<std::int64_t>(0, add_capped(total, -used)));
  }

  void gap(std::string what, std::string decides) { out_.gaps.push_back({std::move(what), std::move(decides)}); }

  void tell_gaps() {
    bool split = false;
    bool placed = false;
    for (const PodUnit& unit : units_) {
      if (!concerns_gpus(unit)) continue;
      placed = placed || unit.shown.bound > 0 || unit.shown.pending > 0;
      split = split || unit.candidate;
      // Its controller knows how many there are, not how many need each other.
      if (unit.shown.state == GangState::Undecided)
        gap(unit.shown.name + ": " + unit.shown.why,
            unit.group_api.empty() || unit.shown.needs ? "" : "kubectl get " + unit.group_api + " -A -o json");
      const bool guessed = unit.shown.state == GangState::Stuck && !unit.shown.needs;
      if (guessed)
        out_.assumes.push_back(unit.shown.name + " needs all its pods that exist (" + unit.coupling_why +
                               "); how many it needs is not in the input" +
                               (unit.shown.needs_from.empty() ? "" : ": " + unit.shown.needs_from));
    }
    if (!nodes_known_ && placed) gap("how many GPUs are free: the nodes are not in the input", kDecidesNodes);
    if (nodes_known_ && board_.strangers() > 0)
      gap("what is free on " + count_of(board_.strangers(), "node") + " that " +
              (board_.strangers() == 1 ? "is" : "are") + " not in the input, though pods run there",
          kDecidesNodes);
    if (doubts_free_)
      gap("whether all pods are in the input: the scheduler found less room than the input shows",
          "kubectl get pods -A -o json");
    if (snapshot_.twice > 0)
      gap(count_of(snapshot_.twice, "pod") + " of which the dumps show two moments, such as " + snapshot_.twice_name,
          "kubectl get pods,podgroups,nodes -A -o json");
    if (!nodes_known_ && split)
      out_.assumes.push_back("pods may use each other's nodes: labels and taints are not in the input");
    if (split)
      out_.assumes.push_back(
          "no node is added and nothing is preempted; affinity between pods, volumes, topology and quotas are not "
          "looked at");
  }

  /// Shows what concerns GPUs, less the pods on their own that run.
  void publish() {
    std::vector<std::size_t> place(units_.size(), units_.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      PodUnit& unit = units_[u];
      const bool quiet = unit.shown.state == GangState::Runs && unit.pods.size() == 1;
      if (quiet || !concerns_gpus(unit)) continue;
      if (unit.shown.state == GangState::Stuck) out_.idle_gpus = add_capped(out_.idle_gpus, unit.shown.gpus);
      place[u] = out_.gangs.size();
      out_.gangs.push_back(std::move(unit.shown));
    }
    const auto move_to_place = [&](std::vector<std::size_t>& list) {
      for (std::size_t& entry : list) entry = place[entry];
    };
    move_to_place(out_.cycle);
    if (!out_.eviction) return;
    move_to_place(out_.eviction->gangs);
    move_to_place(out_.eviction->at_once);
    move_to_place(out_.eviction->after);
  }

  const Snapshot& snapshot_;
  std::vector<PodUnit> units_;
  Board board_;
  bool nodes_known_;
  bool doubts_free_ = false;
  Observed& out_;
};

}  // namespace

void judge_gangs(const Snapshot& snapshot, std::vector<PodUnit> units, Observed& out) {
  Judge(snapshot, std::move(units), out).run();
}

}  // namespace muster
