#include "prove/slurm_model.h"

#include <algorithm>

#include "prove/prove.h"
#include "prove/slurm_world.h"

namespace muster::test {
namespace {

const char* const kNobodyIsStuck = "no gang that has a part of its pods is stuck";

class Judge {
 public:
  Judge(const LabCluster& cluster, const LabRound& round, const LabOutcome& outcome)
      : cluster_(cluster), round_(round), outcome_(outcome) {
    world_ = world_of(cluster, round, std::nullopt, wrong_);
    for (std::size_t j = 0; j < round.jobs.size(); ++j) {
      first_.push_back(gangs_before(j));
      in_order_.push_back(round.jobs[j].gang.starts_with("mechanism"));
    }
  }

  std::vector<std::string> run() {
    if (!wrong_.empty()) return wrong_;
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) check_fates(j);
    if (!wrong_.empty()) return wrong_;
    check_state(outcome_.first, "first");
    if (outcome_.then) check_state(*outcome_.then, "then");
    check_who_waits();
    check_who_follows();
    check_proofs();
    return wrong_;
  }

 private:
  void say(const std::string& what) { wrong_.push_back(what); }
  static std::string name(std::size_t job) { return "j" + std::to_string(job); }

  std::size_t gangs_before(std::size_t job) const {
    std::size_t count = 0;
    for (std::size_t j = 0; j < job; ++j) count += round_.jobs[j].gang.empty() ? 0 : round_.jobs[j].fates.size();
    return count;
  }

  void check_fates(std::size_t j) {
    const LabJob& job = round_.jobs[j];
    const std::vector<LabPart>& parts = outcome_.first.jobs[j];
    for (std::size_t t = 0; t < job.fates.size(); ++t) {
      std::vector<LabPart> mine = parts;
      if (job.fates.size() > 1) mine = t < parts.size() ? std::vector<LabPart>{parts[t]} : std::vector<LabPart>{};
      const bool holds = !mine.empty() && std::ranges::all_of(mine, &LabPart::holds);
      const bool pends = !mine.empty() && std::ranges::none_of(mine, &LabPart::holds);
      const bool stopped =
          holds && std::ranges::all_of(mine, [](const LabPart& part) { return part.state == "SUSPENDED"; });
      bool fine = false;
      switch (job.fates[t]) {
        case Fate::Runs: fine = holds && !stopped; break;
        case Fate::Waits: fine = pends; break;
        case Fate::Never: fine = refused_for_its_shape(j) || pends; break;
        case Fate::GivesWay: fine = !outcome_.refused[j] && (pends || mine.empty()); break;
        case Fate::Stops: fine = stopped; break;
      }
      std::string states = outcome_.refused[j] ? " refused" : "";
      for (const LabPart& part : mine) states += " " + part.state;
      if (fine) continue;
      say(name(j) + " `" + job.options + "`, task " + std::to_string(t) + ": another fate than written:" + states +
          " " + outcome_.said);
    }
  }

  /// Not for a word that sbatch did not know.
  bool refused_for_its_shape(std::size_t j) const {
    const auto says = [&](const char* words) { return outcome_.said.find(words) != std::string::npos; };
    return outcome_.refused[j] &&
           (says("Requested node configuration is not available") ||
            says("Requested topology configuration is not available") || says("does not fit the job size"));
  }

  /// The pods of gangs as the real one placed them.
  std::vector<PlacedPod> pods_in(const LabState& state) {
    std::vector<PlacedPod> out;
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) {
      if (round_.jobs[j].gang.empty()) continue;
      for (std::size_t p = 0; p < state.jobs[j].size(); ++p) {
        const LabPart& part = state.jobs[j][p];
        if (!part.holds()) continue;
        const std::size_t gang = in_order_[j] ? first_[j] : first_[j] + p;
        if (gang >= world_.gangs.size()) {
          say(name(j) + " has more parts than gangs");
          return out;
        }
        if (in_order_[j]) {
          for (const std::int64_t node : part.nodes) out.push_back({gang, p, node});
        } else {
          add_pods(gang, part.nodes, out);
        }
      }
    }
    return out;
  }

  /// Nodes of a job as pods: listed nodes are roles of their own, and so are segments, each of which stands in one
  /// block.
  void add_pods(std::size_t gang, std::vector<std::int64_t> nodes, std::vector<PlacedPod>& out) {
    const std::vector<WorldRole>& roles = world_.gangs[gang].roles;
    for (std::size_t r = 0; r < roles.size(); ++r) {
      for (std::int64_t i = 0; i < roles[r].pods && !nodes.empty(); ++i) {
        auto node = std::ranges::find_if(nodes, [&](std::int64_t n) {
          const bool apart =
              i > 0 && !roles[r].domain.empty() &&
              domain_at(world_, n, roles[r].domain) != domain_at(world_, out.back().node, roles[r].domain);
          return has_labels(world_, n, roles[r]) && !apart;
        });
        if (node == nodes.end())
          return say("a listed node is not among those of " + world_.gangs[gang].name.value +
                     ", or a segment is torn apart");
        out.push_back({gang, r, *node});
        nodes.erase(node);
      }
    }
    if (!nodes.empty()) say(world_.gangs[gang].name.value + " has more nodes than pods");
  }

  void check_state(const LabState& state, const std::string& when) {
    const std::vector<PlacedPod> pods = pods_in(state);
    // What pends holds nothing: all GPUs in use belong to those that run.
    std::vector<std::int64_t> wanted(cluster_.nodes.size(), 0);
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) {
      for (std::size_t p = 0; p < state.jobs[j].size() && !round_.jobs[j].gang.empty(); ++p) {
        const std::vector<WorldRole>& roles = world_.gangs[first_[j]].roles;
        const std::int64_t each = roles[in_order_[j] ? p : 0].gpus_per_pod;
        for (const std::int64_t node : state.jobs[j][p].nodes) wanted[static_cast<std::size_t>(node)] += each;
      }
    }
    if (state.gpus_in_use != wanted)
      say(when + ": GPUs are in use that belong to nobody who runs, or the other way round");
    if (pods.empty()) return;
    const std::string judged = replay(world_, Property::AllOrNothing, as_steps(world_, pods), 0);
    if (judged != "" && judged != kNobodyIsStuck) say(when + ": the model cannot come to what happened: " + judged);
    if ((judged == "") != somebody_is_short(pods))
      say(when + ": a gang is stuck with a part of its pods in the model or in truth, not in both");
  }

  /// A gang runs with less than its upper bound, and no node is left for more.
  bool somebody_is_short(const std::vector<PlacedPod>& pods) const {
    const std::vector<std::int64_t> free = free_gpus(world_, pods);
    for (std::size_t g = 0; g < world_.gangs.size(); ++g) {
      const std::int64_t held = std::ranges::count(pods, g, &PlacedPod::gang);
      if (held > 0 && held < pods_of(world_.gangs[g]) &&
          std::ranges::all_of(free, [](std::int64_t n) { return n < 8; }))
        return true;
    }
    return false;
  }

  /// Who waits does not fit beside those that run, nor in place of those that would give way.
  void check_who_waits() {
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) {
      for (std::size_t t = 0; t < round_.jobs[j].fates.size() && !round_.jobs[j].gang.empty(); ++t) {
        const Fate fate = round_.jobs[j].fates[t];
        if (fate == Fate::Runs || fate == Fate::Stops) continue;
        std::vector<PlacedPod> pods = pods_in(outcome_.first);
        const WorldGang& gang = world_.gangs[first_[j] + t];
        if (gang.preempts)
          std::erase_if(pods, [&](const PlacedPod& pod) { return world_.gangs[pod.gang].priority < gang.priority; });
        if (fits_now(world_, gang, free_gpus(world_, pods))) say(name(j) + " waits though it fits");
      }
    }
  }

  /// With those gone that ran, the first one that waited runs.
  void check_who_follows() {
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) {
      if (std::ranges::find(round_.jobs[j].fates, Fate::Waits) == round_.jobs[j].fates.end() ||
          round_.jobs[j].fates.size() > 1)
        continue;
      const bool follows = outcome_.then && !outcome_.then->jobs[j].empty() &&
                           std::ranges::all_of(outcome_.then->jobs[j], &LabPart::holds);
      if (!follows) say(name(j) + " does not run on the idle cluster");
      break;
    }
    for (std::size_t j = 0; j < round_.jobs.size() && outcome_.then; ++j) {
      const bool never = round_.jobs[j].fates.front() == Fate::Never;
      if (never && std::ranges::any_of(outcome_.then->jobs[j], &LabPart::holds))
        say(name(j) + " runs on the idle cluster");
    }
  }

  /// What the prover says of each job alone and of all of them.
  void check_proofs() {
    bool elastic = false;
    for (std::size_t j = 0; j < round_.jobs.size(); ++j) {
      if (round_.jobs[j].gang.empty()) continue;
      const World alone = world_of(cluster_, round_, j, wrong_);
      const bool bends = !in_order_[j] && alone.gangs.front().guaranteed.value < pods_of(alone.gangs.front());
      elastic = elastic || bends;
      bool expected = round_.jobs[j].fates.front() != Fate::Never;
      if (bends) {
        if (round_.jobs.size() > 1) continue;
        expected = std::ssize(outcome_.first.jobs[j].front().nodes) == pods_of(alone.gangs.front());
      }
      for (const ProofResult& result : prove_world(alone, {Property::Placeable}, {})) {
        if (result.verdict == (expected ? Verdict::Holds : Verdict::Counterexample)) continue;
        say(name(j) + " is " + (expected ? "" : "not ") + "placed alone; the prover: " + result.reason);
      }
    }
    const bool short_of_some = elastic && somebody_is_short(pods_in(outcome_.first));
    for (const ProofResult& result : prove_world(world_, {Property::AllOrNothing, Property::NoDeadlock}, {})) {
      if (result.property == Property::NoDeadlock && elastic) continue;
      if (result.verdict != (short_of_some ? Verdict::Counterexample : Verdict::Holds))
        say("the prover: " + result.reason);
    }
  }

  const LabCluster& cluster_;
  const LabRound& round_;
  const LabOutcome& outcome_;
  World world_;
  std::vector<std::size_t> first_;  ///< gang of each job
  std::vector<bool> in_order_;      ///< heterogeneous
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> disagreements(const LabCluster& cluster, const LabRound& round, const LabOutcome& outcome) {
  return Judge(cluster, round, outcome).run();
}

}  // namespace muster::test
