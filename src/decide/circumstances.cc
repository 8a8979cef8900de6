#include "decide/circumstances.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "decide/decider.h"
#include "decide/pools.h"
#include "model/fact_value.h"
#include "model/workload.h"

namespace muster {
namespace {

/// Kinds of pools that answer for themselves; a fleet of more answers by what they share.
constexpr std::size_t kMostGroups = 64;
/// Answers of pools for all workloads together, beyond 64 for each.
constexpr std::size_t kMostPoolAnswers = 1'000'000;

std::optional<bool> flag_fact(const Workload& workload, std::string_view name) { return flag_of(workload.fact(name)); }

std::string word_fact(const Workload& workload, std::string_view name) { return word_of(workload.fact(name)); }

/// Whether something holds for some workload.
struct Somewhere {
  bool surely = false;
  bool maybe = false;
  std::set<std::string> open;  ///< facts that settle what may be

  void add(std::optional<bool> holds, const std::set<std::string>& settled_by) {
    surely = surely || holds == true;
    if (holds) return;
    maybe = true;
    open.insert(settled_by.begin(), settled_by.end());
  }
};

/// Both hold; nothing while one that is open decides.
std::optional<bool> and_known(std::optional<bool> a, std::optional<bool> b) {
  if (a == false || b == false) return false;
  return a && b ? std::optional(true) : std::nullopt;
}

void give_no_planes(Site& site) {
  for (const char* plane : {"existing.k3s", "existing.kubernetes", "existing.slurm"})
    site.facts.try_emplace(plane, "false");
}

std::set<std::string> open_facts(const Choice& choice) { return {choice.unknown.begin(), choice.unknown.end()}; }

}  // namespace

Site alone(const Workload& workload, const Site& site) {
  Site out = site;
  give_no_planes(out);
  const auto give = [&](const char* fact, std::string value) { out.facts.try_emplace(fact, std::move(value)); };
  give("today.plane", "unsaid");
  give("work.interactive", flag_fact(workload, "interactive").value_or(false) ? "true" : "false");
  give("others.need_slurm", "false");
  give("others.need_kubernetes", "false");
  if (const std::optional<bool> shares = flag_fact(workload, "fractional_gpu"))
    give("cluster.shares_gpus", *shares ? "true" : "false");
  const std::string kind = word_fact(workload, "kind");
  if (!kind.empty()) give("cluster.gangs", kind == "spark-application" ? "spark" : kind == "job" ? "jobs" : "mixed");
  return out;
}

/// Fills in Circumstances: first where each workload would go alone, then what they call for together, then where each
/// runs, then what each cluster carries.
class Gatherer {
 public:
  Gatherer(const Model& model, const RuleBook& book, const Site& site, Circumstances& out)
      : model_(model), book_(book), site_(site), out_(out), decider_(book, site_), pools_(model) {
    // Without a fleet file nothing is there yet, and of several nobody says which one is meant.
    if (model.fleets.size() != 1) give_no_planes(site_);
    for (const Gang& gang : model.gangs) {
      if (gang.workload_index) tied_[*gang.workload_index].insert(gang.control_plane);
    }
  }

  void run() {
    for (std::size_t i = 0; i < model_.workloads.size(); ++i) class_of_.push_back(find_class(i));
    needs();
    for (Class& one : classes_) one.runs_on = output(one, "placement", "runs_on");
    for (const std::string_view plane : {"kubernetes", "k3s"}) describe_cluster(plane);
    for (Class& one : classes_) one.place = find_place(one);
    for (const std::size_t c : class_of_) out_.place_of_.push_back(classes_[c].place);
  }

 private:
  /// Where it runs today, and its facts.
  using ClassKey = std::vector<std::optional<FactValue>>;

  /// Workloads that differ in nothing that anybody asks for.
  struct Class {
    const Workload* workload = nullptr;
    Site site;
    Choice primary;
    Choice host;
    Choice runs_on;
    std::size_t place = 0;
  };

  std::size_t find_class(std::size_t i) {
    const Workload& workload = model_.workloads[i];
    const std::string today = today_of(i);
    ClassKey key{FactValue(today)};
    for (std::size_t f = 0; f < workload.facts.size(); ++f) {
      const Located<FactValue>& fact = workload.facts[f];
      const bool counts = fact.known() && workload_facts()[f].name != "gpu_hours_share";
      key.push_back(counts ? std::optional(fact.value) : std::nullopt);
    }
    const auto [at, fresh] = known_.try_emplace(std::move(key), classes_.size());
    if (!fresh) return at->second;
    Class one{&workload, site_, {}, {}, {}, 0};
    give(one.site, "today.plane", today);
    give(one.site, "work.interactive", flag_fact(workload, "interactive").value_or(false) ? "true" : "false");
    one.primary = output(one, "control-plane", "primary");
    one.host = output(one, "control-plane", "host");
    classes_.push_back(std::move(one));
    return at->second;
  }

  /// What --set gave is not given again.
  void give(Site& site, std::string_view fact, std::string value) const {
    site.facts.try_emplace(std::string(fact), std::move(value));
  }

  Choice output(const Class& one, std::string_view table, const std::string& name) {
    Evaluation evaluation(book_, known_box(book_.space(), *one.workload, one.site));
    return decider_.output(evaluation, table, name);
  }

  bool exists(std::string_view plane) const {
    const auto found = site_.facts.find("existing." + std::string(plane));
    return found != site_.facts.end() && found->second == "true";
  }

  /// The Kubernetes that a workload of Kubernetes runs on.
  std::string cluster() const { return exists("k3s") && !exists("kubernetes") ? "k3s" : "kubernetes"; }

  std::string today_of(std::size_t i) const {
    const Workload& workload = model_.workloads[i];
    if (const FleetPools::Pool* pool = pools_.named_by(workload); pool != nullptr && !pool->plane.empty())
      return pool->plane;
    if (const auto found = tied_.find(i); found != tied_.end()) {
      if (found->second.size() > 1) return "unsaid";
      return *found->second.begin() == ControlPlane::Slurm ? "slurm" : cluster();
    }
    const std::string kind = word_fact(workload, "kind");
    if (kind == "sbatch") return "slurm";
    return kind.empty() || kind == "ray" ? "unsaid" : cluster();
  }

  void needs() {
    Somewhere slurm;
    Somewhere kubernetes;
    for (const Class& one : classes_) {
      const auto is = [&](std::string_view plane) -> std::optional<bool> {
        return one.host.value           ? std::optional(*one.host.value == plane)
               : one.host.may_be(plane) ? std::nullopt
                                        : std::optional(false);
      };
      slurm.add(is("slurm"), open_facts(one.host));
      const std::optional<bool> services = flag_fact(*one.workload, "long_lived_services");
      const std::optional<bool> bare = flag_fact(*one.workload, "bare_metal");
      // A service, or a container: not (no service and bare).
      const std::optional<bool> neither = and_known(services ? std::optional(!*services) : std::nullopt, bare);
      std::set<std::string> open = open_facts(one.host);
      if (!services) open.insert("long_lived_services");
      if (!bare) open.insert("bare_metal");
      kubernetes.add(and_known(is("kubernetes"), neither ? std::optional(!*neither) : std::nullopt), open);
    }
    tell("others.need_slurm", slurm);
    tell("others.need_kubernetes", kubernetes);
  }

  void tell(const std::string& fact, const Somewhere& what) {
    if (!what.surely && what.maybe) {
      out_.sources_[fact] = what.open;
      return;
    }
    for (Class& one : classes_) give(one.site, fact, what.surely ? "true" : "false");
  }

  /// What all work on one plane asks of its gang scheduler together.
  void describe_cluster(std::string_view plane) {
    Somewhere shares;
    std::set<std::string> kinds;
    std::set<std::string> open;
    bool maybe = false;
    for (const Class& one : classes_) {
      if (!one.runs_on.may_be(plane)) continue;
      const std::optional<bool> here = one.runs_on.value ? std::optional(true) : std::nullopt;
      std::set<std::string> where = open_facts(one.runs_on);
      where.insert("fractional_gpu");
      shares.add(and_known(here, flag_fact(*one.workload, "fractional_gpu")), where);
      const std::optional<bool> gang = and_known(here, is_gang(*one.workload));
      if (gang == false) continue;
      const std::string kind = kind_of_gang(one);
      if (gang && !kind.empty()) {
        kinds.insert(kind);
        continue;
      }
      maybe = true;
      open.insert("kind");
      for (const char* fact : {"nodes", "tightly_coupled"}) {
        if (!one.workload->fact(fact).known()) open.insert(fact);
      }
      open.insert(one.runs_on.unknown.begin(), one.runs_on.unknown.end());
    }
    const bool mixed = kinds.size() > 1 || kinds.contains("mixed") || (kinds.empty() && !maybe);
    if (!mixed && maybe) out_.sources_["cluster.gangs"].insert(open.begin(), open.end());
    if (!shares.surely && shares.maybe)
      out_.sources_["cluster.shares_gpus"].insert(shares.open.begin(), shares.open.end());
    for (Class& one : classes_) {
      if (one.runs_on.value != plane) continue;
      if (mixed || !maybe) give(one.site, "cluster.gangs", mixed ? "mixed" : *kinds.begin());
      if (shares.surely || !shares.maybe) give(one.site, "cluster.shares_gpus", shares.surely ? "true" : "false");
    }
  }

  static std::optional<bool> is_gang(const Workload& workload) {
    const std::optional<std::int64_t> nodes = whole_of(workload.fact("nodes"));
    return and_known(flag_fact(workload, "tightly_coupled"), nodes ? std::optional(*nodes >= 2) : std::nullopt);
  }

  /// jobs, spark or mixed; empty while its kind is not said.
  static std::string kind_of_gang(const Class& one) {
    const std::string kind = word_fact(*one.workload, "kind");
    if (kind == "spark-application") return "spark";
    if (one.primary.value == "ray") return "mixed";
    if (kind == "job") return one.primary.value ? "jobs" : "";
    return kind.empty() ? "" : "mixed";
  }

  std::size_t find_place(const Class& one) {
    const std::vector<const NodePool*> pools = pools_.holding(*one.workload, one.runs_on.value.value_or(""));
    std::string key;
    for (const char* fact : {"today.plane", "work.interactive", "others.need_slurm", "others.need_kubernetes",
                             "cluster.gangs", "cluster.shares_gpus"}) {
      const auto found = one.site.facts.find(fact);
      key += (found == one.site.facts.end() ? "" : found->second) + "\n";
    }
    for (const NodePool* pool : pools) key += std::to_string(pool - model_.fleets.front().node_pools.data()) + ",";
    const auto [at, fresh] = places_.try_emplace(std::move(key), out_.places_.size());
    if (!fresh) return at->second;
    Circumstances::Place place{one.site, {}, 0};
    set_facts_of_pools(pools, place.site.facts);
    std::map<SiteFacts, std::size_t> groups;
    for (const NodePool* pool : pools) {
      const auto [group, is_new] = groups.try_emplace(facts_of_pools({pool}), place.pools.size());
      if (is_new) {
        place.pools.push_back({{}, one.site});
        set_facts_of_pools({pool}, place.pools.back().site.facts);
      }
      place.pools[group->second].pools.push_back(pool->name.value);
    }
    const std::size_t most_pools = std::max<std::size_t>(64, kMostPoolAnswers / model_.workloads.size());
    if (place.pools.size() > kMostGroups || pools.size() > most_pools) {
      place.pools.clear();
      place.left_out = pools.size();
    }
    out_.places_.push_back(std::move(place));
    return at->second;
  }

  const Model& model_;
  const RuleBook& book_;
  Site site_;
  Circumstances& out_;
  Decider decider_;
  FleetPools pools_;
  std::map<std::size_t, std::set<ControlPlane>> tied_;  ///< planes of the artifacts of a workload
  std::map<ClassKey, std::size_t> known_;
  std::vector<Class> classes_;
  std::vector<std::size_t> class_of_;
  std::map<std::string, std::size_t> places_;
};

Circumstances::Circumstances(const Model& model, const RuleBook& book, const Site& site) {
  Gatherer(model, book, site, *this).run();
}

void Circumstances::name_sources(Choice& choice) const {
  std::set<std::string> out;
  for (const std::string& fact : choice.unknown) {
    const auto found = sources_.find(fact);
    if (found == sources_.end()) {
      out.insert(fact);
    } else {
      out.insert(found->second.begin(), found->second.end());
    }
  }
  choice.unknown.assign(out.begin(), out.end());
}

}  // namespace muster
