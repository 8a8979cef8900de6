#include "pipeline/choices.h"

#include "base/strings.h"
#include "decide/decide.h"
#include "decide/decider.h"

namespace muster {
namespace {

constexpr std::string_view kFleet = "the fleet";

void add_choice(const std::string& subject, const std::string& id, const Choice& choice,
                std::map<ChoiceName, ChoiceValue>& out) {
  if (!choice.value && choice.possible.empty()) return;
  ChoiceValue value;
  value.decided = choice.value.has_value();
  value.value = choice.value ? *choice.value : "open: " + join(choice.possible, " or ");
  value.reversibility = choice.reversibility;
  value.because = choice.because;
  out[{subject, id, ""}] = std::move(value);
}

/// A site goes by its slurm.conf, or the folder of a fragment.
std::string site_name(const SlurmSite& site, const PlaceName& name) {
  const std::string called = name(site.file.empty() ? site.folder : site.file);
  return called.empty() ? "." : called;
}

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
    out_[{subject, choice, setting}] = {std::move(value), decider_.reversibility_of(choice), "", true};
  }
  void set(const std::string& subject, const std::string& choice, const std::string& setting,
           const Located<std::string>& value) {
    if (value.known()) set(subject, choice, setting, value.value);
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
      if (text != nullptr) set(subject + ", pool " + pool.name.value, "control-plane", "control_plane", *text);
    }
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
  std::map<ChoiceName, ChoiceValue> out;
  for (const Decision& decision : w.decisions) {
    add_choice(decision.workload, "control-plane", decision.primary, out);
    add_choice(decision.workload, "host", decision.host, out);
    add_choice(decision.workload, "placement", decision.runs_on, out);
    add_choice(decision.workload, "hybrid", decision.hybrid, out);
    for (const AddonChoice& addon : decision.addons) add_choice(decision.workload, addon.id, addon.level, out);
    for (const NamedChoice& further : decision.choices) add_choice(decision.workload, further.id, further.choice, out);
  }
  if (w.decisions.size() < 2) return out;
  const FleetDecision fleet = decide_fleet(w.model, *w.book, w.site, w.decisions);
  add_choice(std::string(kFleet), "planes", fleet.planes, out);
  add_choice(std::string(kFleet), "hybrid", fleet.hybrid, out);
  for (const NamedChoice& further : fleet.choices) add_choice(std::string(kFleet), further.id, further.choice, out);
  for (const ClusterScheduler& one : fleet.gang_schedulers)
    add_choice(std::string(kFleet), "gang-scheduler of " + one.plane, one.scheduler, out);
  return out;
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
