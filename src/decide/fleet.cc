#include <algorithm>
#include <set>

#include "base/strings.h"
#include "decide/break_even.h"
#include "decide/decide.h"
#include "decide/decider.h"

namespace muster {
namespace {

/// Whether something holds for some workload, as far as is known.
struct Some {
  bool surely = false;
  bool maybe = false;
  void add(bool sure, bool possible) {
    surely = surely || sure;
    maybe = maybe || possible;
  }
  std::optional<std::string> word() const {
    return surely ? std::optional<std::string>("true") : maybe ? std::nullopt : std::optional<std::string>("false");
  }
};

/// All workloads in the terms of the table `fleet`.
struct Work {
  Some slurm;
  Some kubernetes;
  std::optional<double> slurm_share;
  std::set<std::string> open;  ///< facts that settle where workloads belong
  bool shares_missing = false;
};

/// What was given stands.
void take_given(const Site& site, Work& work) {
  const auto take = [&](std::string_view fact, Some& some) {
    if (const auto given = site.facts.find(fact); given != site.facts.end())
      some.surely = some.maybe = given->second == "true";
  };
  take("work.slurm", work.slurm);
  take("work.kubernetes", work.kubernetes);
  if (const std::optional<double> share = slurm_share_of(site)) work.slurm_share = share;
}

Work sum_up(const Model& model, const Site& site, const std::vector<Decision>& decisions) {
  Work work;
  double all = 0;
  double on_slurm = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Choice& host = decisions[i].runs_on;
    const Choice& hybrid = decisions[i].hybrid;
    const bool slurm = host.may_be("slurm");
    const bool kubernetes = host.may_be("kubernetes") || host.may_be("k3s");
    const bool services = slurm && !hybrid.may_be("none");
    work.slurm.add(slurm && host.value, slurm);
    work.kubernetes.add((kubernetes && host.value) || (services && host.value),
                        kubernetes || (slurm && hybrid.value != "none"));
    work.open.insert(host.unknown.begin(), host.unknown.end());
    const Located<FactValue>& share = model.workloads[i].fact("gpu_hours_share");
    if (!host.value || !share.known()) {
      work.shares_missing = work.shares_missing || !share.known();
      all = -1;
      continue;
    }
    if (all < 0) continue;
    all += std::get<double>(share.value);
    if (slurm) on_slurm += std::get<double>(share.value);
  }
  if (all > 0) work.slurm_share = on_slurm / all;
  take_given(site, work);
  return work;
}

/// In place of what the program fills in, the facts of workloads that it comes from.
void name_sources(Choice& choice, const Work& work) {
  std::set<std::string> out;
  for (const std::string& fact : choice.unknown) {
    if (!is_asked(fact)) {
      out.insert(fact);
      continue;
    }
    out.insert(work.open.begin(), work.open.end());
    if (fact == "work.slurm_share" && work.shares_missing) out.insert("gpu_hours_share");
  }
  choice.unknown.assign(out.begin(), out.end());
}

/// Batch work on Slurm beside services, as one workload of the size of both.
Workload both_kinds(const Work& work) {
  Workload workload = no_workload();
  const auto set = [&](std::string_view name, FactValue value) {
    workload.facts[*workload_fact_index(name)] = set_to(std::move(value), Span{}, FieldName(name));
  };
  set("bare_metal", true);
  set("long_lived_services", true);
  set("nodes", std::int64_t{2});
  set("tightly_coupled", true);
  if (work.slurm_share) set("gpu_hours_share", std::max(*work.slurm_share, 1 - *work.slurm_share));
  return workload;
}

Choice share_the_fleet(Decider& decider, const RuleBook& book, const Site& site, const Work& work) {
  const std::optional<std::string> slurm = work.slurm.word();
  const std::optional<std::string> kubernetes = work.kubernetes.word();
  Evaluation evaluation(book, known_box(book.space(), both_kinds(work), site));
  Choice choice = decider.output(evaluation, "hybrid", "mode");
  if (slurm == "true" && kubernetes == "true") return choice;
  if (slurm == "false" || kubernetes == "false") {
    choice.value = "none";
    choice.because = "all of the work is of one kind";
    choice.possible.clear();
    choice.unknown.clear();
    choice.rule.clear();
    return choice;
  }
  if (choice.value) choice.possible = {*choice.value};
  choice.possible.insert(choice.possible.begin(), "none");
  choice.unknown.insert(choice.unknown.end(), work.open.begin(), work.open.end());
  choice.value.reset();
  choice.because.clear();
  choice.rule.clear();
  std::ranges::sort(choice.unknown);
  choice.unknown.erase(std::unique(choice.unknown.begin(), choice.unknown.end()), choice.unknown.end());
  return choice;
}

std::vector<std::string> kinds_of(const std::string& planes, const std::vector<Decision>& decisions) {
  const auto any_on = [&](std::string_view plane) {
    return std::ranges::any_of(decisions, [&](const Decision& decision) { return decision.runs_on.value == plane; });
  };
  std::vector<std::string> out;
  if (planes == "slurm" || planes == "both") out.emplace_back("slurm");
  if (planes != "kubernetes" && planes != "both") return out;
  const bool k3s = any_on("k3s");
  if (!k3s || any_on("kubernetes")) out.emplace_back("kubernetes");
  if (k3s) out.emplace_back("k3s");
  return out;
}

/// Decisions of one cluster have one scheduler, or none where they need none.
std::vector<ClusterScheduler> cluster_schedulers(const std::vector<Decision>& decisions) {
  std::vector<ClusterScheduler> out;
  for (const std::string_view plane : {"kubernetes", "k3s"}) {
    ClusterScheduler cluster{std::string(plane), {}, {}};
    for (const Decision& decision : decisions) {
      const auto found = std::ranges::find(decision.choices, "gang-scheduler", &NamedChoice::id);
      const bool here = decision.runs_on.value == plane && found != decision.choices.end();
      if (!here || found->choice.value == "none" || found->choice.may_be("none")) continue;
      cluster.scheduler = found->choice;
      cluster.workloads.push_back(decision.workload);
    }
    if (!cluster.workloads.empty()) out.push_back(std::move(cluster));
  }
  return out;
}

/// The choices of the fleet that are decided, with other facts.
std::map<std::string, std::string> ask_again(Decider& decider, const RuleBook& book, Work work, const Site& site) {
  std::map<std::string, std::string> out;
  const auto add = [&](const std::string& id, const Choice& choice) {
    if (choice.value) out[id] = *choice.value;
  };
  if (const std::optional<double> share = slurm_share_of(site)) work.slurm_share = share;
  const Workload nobody = no_workload();
  Evaluation evaluation(book, known_box(book.space(), nobody, site));
  add("planes", decider.output(evaluation, "fleet", "planes"));
  add("hybrid", share_the_fleet(decider, book, site, work));
  for (const NamedChoice& further : decider.further(evaluation, false)) add(further.id, further.choice);
  return out;
}

/// Of a fleet that has one plane it is what a second one would bring.
std::string in_figures(const Model& model, const Choice& planes) {
  const std::optional<TwoPlaneCost> cost =
      model.fleets.size() == 1 ? two_plane_cost(model.fleets.front()) : std::nullopt;
  if (!cost) return "";
  const auto usd = [](double amount) {
    return with_thousands(static_cast<std::uint64_t>(std::min(amount, 9e15) + 0.5)) + " USD";
  };
  const bool two = planes.value == "both" || model.fleets.front().control_planes.size() > 1;
  return "a fixed border " + std::string(two ? "strands" : "would strand") + " GPUs worth " + usd(cost->stranded_usd) +
         " a year; the engineers of a second plane " + (two ? "cost " : "would cost ") + usd(cost->engineers_usd);
}

}  // namespace

Site with_work(const Model& model, const Site& site, const std::vector<Decision>& decisions) {
  const Work work = sum_up(model, site, decisions);
  Site asked = site;
  if (const auto word = work.slurm.word()) asked.facts["work.slurm"] = *word;
  if (const auto word = work.kubernetes.word()) asked.facts["work.kubernetes"] = *word;
  if (work.slurm_share) asked.facts.try_emplace("work.slurm_share", std::to_string(*work.slurm_share));
  return asked;
}

Workload no_workload() {
  Workload nobody;
  nobody.facts.resize(workload_facts().size());
  return nobody;
}

FleetDecision decide_fleet(const Model& model, const RuleBook& book, const Site& site,
                           const std::vector<Decision>& decisions) {
  const Work work = sum_up(model, site, decisions);
  const Site asked = with_work(model, site, decisions);
  const Workload nobody = no_workload();
  Decider decider(book, asked);
  Evaluation evaluation(book, known_box(book.space(), nobody, asked));
  FleetDecision out;
  out.planes = decider.output(evaluation, "fleet", "planes");
  name_sources(out.planes, work);
  if (out.planes.value) out.kinds = kinds_of(*out.planes.value, decisions);
  out.hybrid = share_the_fleet(decider, book, asked, work);
  out.economics = in_figures(model, out.planes);
  out.choices = decider.further(evaluation, false);
  out.gang_schedulers = cluster_schedulers(decisions);
  return out;
}

std::vector<BreakEven> break_evens_of(const Model& model, const RuleBook& book, const Site& site,
                                      const std::vector<Decision>& decisions) {
  const Work work = sum_up(model, site, decisions);
  const Site asked = with_work(model, site, decisions);
  Decider decider(book, asked);
  return find_break_evens(model, asked, [&](const Site& other) { return ask_again(decider, book, work, other); });
}

}  // namespace muster
