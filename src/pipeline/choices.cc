#include "pipeline/choices.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "decide/decide.h"
#include "decide/decider.h"

namespace muster {
namespace {

constexpr std::string_view kFleet = "the fleet";

/// What the tables decide, each with what it takes to undo it.
class DecisionReader {
 public:
  explicit DecisionReader(const Workspace& w) : w_(w), decider_(*w.book, w.site) {}

  std::map<ChoiceName, ChoiceValue> run() {
    for (const Decision& decision : w_.decisions) {
      add(decision.workload, "control-plane", "control-plane", decision.primary);
      add(decision.workload, "host", "control-plane", decision.host);
      add(decision.workload, "placement", "placement", decision.runs_on);
      add(decision.workload, "hybrid", "hybrid", decision.hybrid);
      for (const AddonChoice& addon : decision.addons) add(decision.workload, addon.id, "addons", addon.level);
      add_all(decision.workload, decision.choices);
    }
    if (w_.decisions.size() < 2) return std::move(out_);
    const FleetDecision fleet = decide_fleet(w_.model, *w_.book, w_.site, w_.decisions);
    const std::string all(kFleet);
    add(all, "planes", "fleet", fleet.planes);
    add(all, "hybrid", "hybrid", fleet.hybrid);
    add_all(all, fleet.choices);
    for (const ClusterScheduler& one : fleet.gang_schedulers)
      add(all, "gang-scheduler of " + one.plane, "gang-scheduler", one.scheduler);
    return std::move(out_);
  }

 private:
  void add_all(const std::string& subject, const std::vector<NamedChoice>& choices) {
    // `serving.metric` is of the table serving.
    for (const NamedChoice& one : choices) add(subject, one.id, one.id.substr(0, one.id.find('.')), one.choice);
  }

  void add(const std::string& subject, const std::string& id, const std::string& table, const Choice& choice) {
    if (!choice.value && choice.possible.empty()) return;
    ChoiceValue value;
    value.decided = choice.value.has_value();
    value.value = choice.value ? *choice.value : "open: " + join(choice.possible, " or ");
    value.reversibility = choice.reversibility;
    value.because = choice.because;
    value.undo = decider_.undoing(table);
    out_[{subject, id, ""}] = std::move(value);
  }

  const Workspace& w_;
  Decider decider_;
  std::map<ChoiceName, ChoiceValue> out_;
};

/// A site goes by its slurm.conf, or the folder of a fragment.
std::string site_name(const SlurmSite& site, const PlaceName& name) {
  const std::string called = name(site.file.empty() ? site.folder : site.file);
  return called.empty() ? "." : called;
}

/// A chart whose installation is a choice, and which one; those of gang schedulers are rows of rules/schedulers.
struct ChartOfChoice {
  std::string_view chart;
  std::string_view choice;
};
constexpr std::array kChartsOfChoices{
    ChartOfChoice{"gpu-operator", "addons"},
    ChartOfChoice{"karpenter", "addons"},
    ChartOfChoice{"keda", "serving"},
    ChartOfChoice{"kserve", "serving"},
    ChartOfChoice{"kuberay-operator", "addons"},
    ChartOfChoice{"nvidia-device-plugin", "dra"},
    ChartOfChoice{"nvidia-dra-driver-gpu", "dra"},
};

/// Sets what is known of settings.
class SettingReader {
 public:
  SettingReader(const Workspace& w, const PlaceName& name) : w_(w), name_(name), decider_(*w.book, w.site) {}

  std::map<ChoiceName, ChoiceValue> run() {
    for (const Gang& gang : w_.model.gangs) set(gang.id, "gang-scheduler", "scheduler", gang.scheduler);
    for (const OperatorSetting& setting : w_.model.operator_settings) {
      if (contains(setting.name, "scheduler"))
        set(name_of_setting(setting), "gang-scheduler", setting.name, setting.value);
    }
    for (const SlurmSite& site : w_.model.slurm_sites) read(site);
    for (const Fleet& fleet : w_.model.fleets) read(fleet);
    read_ways_to_gpus();
    const std::set<std::string>& shared = w_.model.sliced_accelerators;
    set(".", "isolation", "shared by the device plugin",
        join(std::vector<std::string>(shared.begin(), shared.end()), ", "));
    for (const Manifest& one : w_.model.manifests) read(one);
    for (const LevelTopology& topology : w_.model.level_topologies) {
      std::vector<std::string> labels;
      for (const TopologyLevel& level : topology.levels) labels.push_back(level.label.value);
      set(topology.id, "topology-model", "levels", join(labels, " > "));
    }
    return std::move(out_);
  }

 private:
  std::string name_of_setting(const OperatorSetting& setting) const {
    return setting.file.empty() ? "operators" : name_(setting.file);
  }

  void set(const std::string& subject, const std::string& choice, const std::string& setting, std::string value) {
    if (value.empty()) return;
    out_[{subject, choice, setting}] = {std::move(value), decider_.reversibility_of(choice), "",
                                        decider_.undoing(choice), true};
  }
  void set(const std::string& subject, const std::string& choice, const std::string& setting,
           const Located<std::string>& value) {
    if (value.known()) set(subject, choice, setting, value.value);
  }

  /// Of each bundle, not of each job: a new job chooses nothing.
  void read_ways_to_gpus() {
    std::map<std::string, std::set<std::string>> ways;
    std::set<std::size_t> claiming;
    for (const ClaimUse& use : w_.model.claim_uses) {
      if (contains(join(use.classes, " "), "compute-domain")) continue;  // channels, no GPUs
      ways[use.bundle].insert("claims");
      if (use.gang) claiming.insert(*use.gang);
    }
    for (std::size_t g = 0; g < w_.model.gangs.size(); ++g) {
      const Gang& gang = w_.model.gangs[g];
      if (gang.accelerator.known() && gang.kind != "sbatch" && !claiming.contains(g))
        ways[gang.bundle].insert("extended resources");
    }
    for (const auto& [bundle, all] : ways) {
      set(shown_bundle(bundle), "dra", "GPUs by", join(std::vector<std::string>(all.begin(), all.end()), ", "));
    }
  }

  std::string shown_bundle(const std::string& bundle) const {
    const std::string called = name_(bundle);
    return called.empty() ? "." : called;
  }

  /// What claims of the class get, and whether pods may ask for it by the name of a resource.
  void read_device_class(const Manifest& one) {
    std::vector<std::string> expressions;
    for (const WrittenValue& selector : one.part("selectors").items()) {
      const WrittenValue* cel = selector.find("cel");
      const WrittenValue* text = cel == nullptr ? nullptr : cel->find("expression");
      if (text != nullptr && text->is_text()) expressions.emplace_back(trim(text->text()));
    }
    set(one.id, "dra", "selectors", expressions.empty() ? "every device" : join(expressions, " && "));
    const WrittenValue& resource = one.part("extended_resource");
    if (resource.is_text()) set(one.id, "dra", "extendedResourceName", std::string(resource.text()));
  }

  void read_release(const Manifest& one) {
    const std::string_view chart = one.part("chart").text();
    const auto known = std::ranges::find(kChartsOfChoices, chart, &ChartOfChoice::chart);
    if (known != kChartsOfChoices.end()) set(one.id, std::string(known->choice), "chart", std::string(chart));
    for (const Scheduler& row : w_.knowledge->schedulers().schedulers) {
      if (!row.chart.empty() && row.chart == chart) set(one.id, "gang-scheduler", "chart", row.chart);
    }
    const WrittenValue* mig = chart == "gpu-operator" ? one.part("values").find("mig") : nullptr;
    const WrittenValue* strategy = mig == nullptr ? nullptr : mig->find("strategy");
    if (strategy != nullptr && strategy->is_text())
      set(one.id, "isolation", "mig.strategy", std::string(strategy->text()));
  }

  void read_service(const Manifest& one) {
    const WrittenValue* mode = one.part("annotations").find("serving.kserve.io/deploymentMode");
    set(one.id, "serving", "served by",
        mode != nullptr && mode->is_text() ? "KServe, " + std::string(mode->text()) : "KServe");
    const WrittenValue& least = one.part("min_replicas");
    if (least.state == State::Set && least.kind == WrittenValue::Kind::Int)
      set(one.id, "serving", "fewest replicas", std::to_string(least.number()));
  }

  void read(const SlurmSite& site) {
    const std::string subject = site_name(site, name_);
    for (const SlurmSetting& setting : site.settings) {  // the last one counts
      if (setting.lower_key == "topologyplugin" && !setting.conditional)
        set(subject, "topology-model", "TopologyPlugin", setting.value);
    }
    std::set<std::string> models;
    for (const Topology& topology : site.topologies) {
      const std::string model(name_of(topology.kind));
      models.insert(topology.name.is_set() ? topology.name.value + "=" + model : model);
    }
    set(subject, "topology-model", "topologies", join(std::vector<std::string>(models.begin(), models.end()), ", "));
  }

  void read(const Fleet& fleet) {
    const std::string subject = fleet.name.is_set() ? fleet.name.value : name_(fleet.file);
    set(subject, "topology-model", "levels", join(fleet.levels, " > "));
    std::set<std::string> planes;
    for (const FleetControlPlane& plane : fleet.control_planes) planes.insert(plane.kind.value);
    set(subject, "control-plane", "control_planes", join(std::vector<std::string>(planes.begin(), planes.end()), ", "));
    for (const NodePool& pool : fleet.node_pools) {
      const Located<FactValue>& plane = pool.fact("control_plane");
      const std::string* text = plane.is_set() ? std::get_if<std::string>(&plane.value) : nullptr;
      const std::string of_pool = subject + ", pool " + pool.name.value;
      if (text != nullptr) set(of_pool, "control-plane", "control_plane", *text);
      const Located<FactValue>& shared = pool.fact("accelerator.partitioning");
      const std::string* how = shared.is_set() ? std::get_if<std::string>(&shared.value) : nullptr;
      if (how != nullptr) set(of_pool, "isolation", "accelerator.partitioning", *how);
      const Located<FactValue>& grown = pool.fact("autoscaling.by");
      const std::string* by = grown.is_set() ? std::get_if<std::string>(&grown.value) : nullptr;
      if (by != nullptr) set(of_pool, "addons", "autoscaling.by", *by);
    }
    for (const Tenant& tenant : fleet.tenants) {
      const std::string of_tenant = subject + ", tenant " + tenant.name.value;
      if (tenant.limit_gpus.known()) set(of_tenant, "isolation", "limit_gpus", std::to_string(tenant.limit_gpus.value));
    }
  }

  /// Objects that stand for a choice: what scales a service, who installs the GPU's software and how slices are cut.
  void read(const Manifest& one) {
    const std::string_view kind = one.def->collection;
    if (kind == "gpu_clusters") set(one.id, "dra", "GPU Operator", "GPUCluster");
    if (kind == "nvidia_policies") {
      set(one.id, "dra", "GPU Operator", "ClusterPolicy");
      const WrittenValue* strategy = one.part("mig").find("strategy");
      if (strategy != nullptr && strategy->is_text())
        set(one.id, "isolation", "mig.strategy", std::string(strategy->text()));
    }
    if (kind == "device_classes") read_device_class(one);
    if (kind == "helm_releases") read_release(one);
    if (kind == "node_pools") set(shown_bundle(one.bundle), "addons", "nodes made by", "Karpenter");
    if (kind == "inference_services") read_service(one);
    if (kind == "knative_services") set(one.id, "serving", "served by", "Knative");
    if (kind != "autoscalers" && kind != "scaled_objects") return;
    const WrittenValue& target = one.part("target");
    const WrittenValue* name = target.find("name");
    if (name == nullptr || !name->is_text()) return;
    const std::string named(name->text());
    const std::string subject = one.space.empty() ? named : one.space + "/" + named;
    set(subject, "serving", "autoscaler", kind == "autoscalers" ? "hpa" : "keda");
    const WrittenValue& least = one.part("min");
    if (least.state == State::Set && least.kind == WrittenValue::Kind::Int)
      set(subject, "serving", "fewest replicas", std::to_string(least.number()));
  }

  const Workspace& w_;
  const PlaceName& name_;
  Decider decider_;
  std::map<ChoiceName, ChoiceValue> out_;
};

/// More names than any fleet has: a short list must not become gigabytes.
void add_names(const std::optional<Hostlist>& list, std::set<std::string>& out) {
  if (!list || out.size() > Hostlist::kMaxExpanded) return;
  if (const std::optional<std::vector<std::string>> names = list->expand(Hostlist::kMaxExpanded))
    out.insert(names->begin(), names->end());
}

void add_site(const SlurmSite& site, const std::string& where, NamesByPlace& out) {
  out[{where, "nodes"}].insert(site.node_names.begin(), site.node_names.end());
  for (const Topology& topology : site.topologies) {
    for (const Switch& one : topology.switches) out[{where, "switches"}].insert(one.name.value);
    for (const TopologyBlock& one : topology.blocks) out[{where, "blocks"}].insert(one.name.value);
  }
}

}  // namespace

std::map<ChoiceName, ChoiceValue> decisions_of(const Workspace& w) {
  if (w.book == nullptr || w.decisions.empty()) return {};
  return DecisionReader(w).run();
}

std::map<ChoiceName, ChoiceValue> settings_of_choices(const Workspace& w, const PlaceName& name) {
  if (w.book == nullptr) return {};
  return SettingReader(w, name).run();
}

NamesByPlace topology_names(const Model& model, const PlaceName& name) {
  NamesByPlace out;
  for (const SlurmSite& site : model.slurm_sites) add_site(site, site_name(site, name), out);
  for (const Fleet& fleet : model.fleets) {
    const std::string where = fleet.name.is_set() ? fleet.name.value : name(fleet.file);
    for (const NodePool& pool : fleet.node_pools) add_names(pool.hosts, out[{where, "nodes"}]);
    for (const TopologyDomain& domain : fleet.domains) out[{where, "domains"}].insert(domain.name.value);
  }
  for (const HyperNode& node : model.hyper_nodes) out[{"", "hypernodes"}].insert(node.name.value);
  return out;
}

}  // namespace muster
