#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/fact.h"
#include "review/fill.h"

namespace muster {
namespace {

constexpr std::size_t kNamesShown = 4;

std::string some(const std::set<std::string>& names) {
  std::string out;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (++shown > kNamesShown) continue;
    out += (out.empty() ? "`" : ", `") + name + "`";
  }
  return shown > kNamesShown ? out + " and " + std::to_string(shown - kNamesShown) + " more" : out;
}

/// A fact that choices wait for.
struct OpenFact {
  std::set<std::string> choices;
  std::set<std::string> workloads;
  std::set<std::string> tenants;
  std::size_t waiting = 0;
};

/// What would decide judgements and proofs.
struct OpenNeed {
  std::set<std::string> rules;
  std::size_t judgements = 0;
  std::set<std::string> gangs;
};

class Questions {
 public:
  Questions(const ReviewSubject& subject, Review& review) : subject_(subject), review_(review) {}

  void run() {
    facts();
    needs();
    owners();
    std::ranges::stable_sort(review_.questions, [](const ReviewQuestion& a, const ReviewQuestion& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.asks < b.asks;
    });
  }

 private:
  std::string or_owner(const std::string& owner, std::string_view plane) const {
    return owner.empty() ? "the owner of the " + std::string(plane) : "`" + owner + "`";
  }
  std::string workload_team() const { return or_owner(review_.workload_owner, "workload plane"); }
  std::string runtime_team() const { return or_owner(review_.runtime_owner, "node runtime plane"); }
  std::string fleet_team() const { return or_owner(review_.fleet_owner, "fleet plane"); }

  void facts() {
    std::map<std::string, OpenFact> open;
    const auto add = [&](const std::string& id, const Choice& choice, const Workload* workload) {
      if (choice.value) return;
      for (const std::string& fact : choice.unknown) {
        OpenFact& one = open[fact];
        one.choices.insert(id);
        ++one.waiting;
        if (workload == nullptr) continue;
        one.workloads.insert(workload->name.value);
        if (workload->tenant.known()) one.tenants.insert(workload->tenant.value);
      }
    };
    for (std::size_t i = 0; i < subject_.decisions.size(); ++i) {
      const Decision& decision = subject_.decisions[i];
      const Workload* workload = &subject_.model.workloads[i];
      add("control-plane", decision.primary, workload);
      add("placement", decision.runs_on, workload);
      add("hybrid", decision.hybrid, workload);
      for (const AddonChoice& addon : decision.addons) add(addon.id, addon.level, workload);
      for (const NamedChoice& further : decision.choices)
        add(further.id.substr(0, further.id.find('.')), further.choice, workload);
    }
    add("fleet", review_.fleet_decision.planes, nullptr);
    for (const NamedChoice& further : review_.fleet_decision.choices) add(further.id, further.choice, nullptr);
    for (const auto& [fact, one] : open) ask(fact, one);
  }

  void ask(const std::string& fact, const OpenFact& one) {
    ReviewQuestion question;
    question.weight = one.waiting;
    question.settles = some(one.choices);
    if (const auto row = workload_fact_index(fact)) {
      question.asks = "`" + fact + "`: " + std::string(workload_facts()[*row].doc);
      if (!one.workloads.empty()) question.asks += " (of " + some(one.workloads) + ")";
      question.who = one.tenants.empty() ? "whoever brings the work" : some(one.tenants);
      question.how = "workloads file";
    } else if (const FactDef* def = site_fact(fact)) {
      const bool of_pools =
          fact.starts_with("accelerator.") || fact.starts_with("fabric.") || fact.starts_with("runtime.");
      question.asks =
          "`" + fact + "`: " + std::string(def->doc) + (of_pools ? " (the pools do not all say the same)" : "");
      // What is computed nobody knows by heart: the figures are asked for.
      if (fact.ends_with("_pays"))
        question.asks =
            "the figures by which `" + fact + "` is known: " + std::string(def->doc.substr(0, def->doc.find(':')));
      question.who = owner_of(fact);
      question.how = of_pools ? "each pool of the fleet file" : "fleet file";
    } else {
      question.asks = "which release of `" + fact + "` runs, or none";
      question.who = workload_team();
      question.how = "`--target " + fact + "=VERSION`, or `targets` in muster.yaml";
    }
    review_.questions.push_back(std::move(question));
  }

  static const FactDef* site_fact(const std::string& name) {
    const auto found = std::ranges::find(site_facts(), name, &FactDef::name);
    return found == site_facts().end() ? nullptr : &*found;
  }

  std::string owner_of(const std::string& fact) const {
    if (fact.starts_with("economics.")) return "whoever owns the budget";
    if (fact.starts_with("requirements.")) return "whoever asked for the platform";
    if (fact.starts_with("accelerator.") || fact.starts_with("runtime.")) return runtime_team();
    if (fact.starts_with("fabric.") || fact.starts_with("reliability.") || fact.starts_with("planes.fleet"))
      return fleet_team();
    return workload_team();
  }

  /// What a proof waits for is a fact, or something else than there is or than muster knows.
  static bool can_be_said(std::string_view need) {
    constexpr std::string_view kNoFacts[] = {"a number of pods ",    "a world of at most ",  "fewer ",
                                             "how many `",           "how Slurm joins ",     "how the instances ",
                                             "where each of its ",   "where pods of other ", "which instances of ",
                                             "which of its slices ", "which pods of its "};
    return std::ranges::none_of(kNoFacts, [&](std::string_view begin) { return need.starts_with(begin); });
  }

  /// Who can say what stands in a file: of nodes and their network, or of the work.
  std::string keeper_of(std::string_view need) const {
    for (const std::string_view word : {"topology", "the blocks"}) {
      if (contains(need, word)) return fleet_team();
    }
    return contains(need, "node pool") || contains(need, "the nodes") ? runtime_team() : workload_team();
  }

  void needs() {
    std::map<std::string, OpenNeed> open;
    for (const Undecided& one : subject_.report.undecided) {
      for (const std::string& need : one.needs) {
        open[need].rules.insert(one.rule);
        ++open[need].judgements;
      }
    }
    for (const UnprovedGang& gang : subject_.left_out) {
      if (can_be_said(gang.needs)) open[gang.needs].gangs.insert(gang.gang);
    }
    for (const auto& [need, one] : open) {
      ReviewQuestion question;
      question.asks = need;
      question.weight = one.judgements + one.gangs.size();
      if (one.judgements > 0) question.settles = count_of(one.judgements, "judgement") + " of " + some(one.rules);
      if (!one.gangs.empty())
        question.settles += (question.settles.empty() ? "" : "; ") + ("proofs about " + some(one.gangs));
      const bool setting = contains(need, "operator") || contains(need, "--set") || contains(need, "configuration of");
      question.who = setting ? workload_team() : keeper_of(need);
      question.how = setting ? "`operators` in muster.yaml, or `--set`" : "the file that says it, given along";
      review_.questions.push_back(std::move(question));
    }
  }

  void owners() {
    if (!review_.has_fleet) return;
    const auto ask_for = [&](const std::string& owner, std::string_view plane, std::string_view key) {
      if (!owner.empty()) return;
      review_.questions.push_back({"who owns the " + std::string(plane) + " plane", "who is called at night",
                                   "whoever asked for the platform",
                                   "`planes." + std::string(key) + ".owner` in the fleet file", 1});
    };
    ask_for(review_.workload_owner, "workload", "workload");
    ask_for(review_.runtime_owner, "node runtime", "node_runtime");
    ask_for(review_.fleet_owner, "fleet", "fleet");
    const bool asked = std::ranges::any_of(review_.questions, [](const ReviewQuestion& question) {
      return question.asks.starts_with("`planes.fleet.cordon_and_drain`");
    });
    if (review_.drain.empty() && !asked)
      review_.questions.push_back({"who takes a sick node out of service: the system or a person", "`maturity`",
                                   fleet_team(), "`planes.fleet.cordon_and_drain` in the fleet file", 1});
  }

  const ReviewSubject& subject_;
  Review& review_;
};

}  // namespace

void fill_questions(const ReviewSubject& subject, Review& review) { Questions(subject, review).run(); }

}  // namespace muster
