// Two schedulers over one fleet: nodes that both have, and what the input shows of the way from a sick node to a job
// that goes on.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "model/bundle_fleets.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostOverlaps = 200;
constexpr std::uint64_t kMostHostLooks = 20'000'000;  // for hosts of one plane among those of another
constexpr std::uint64_t kMostHosts = 200'000;         // of one list

bool is_under(const NodePool& pool, bool slurm) {
  const Located<FactValue>& plane = pool.fact("control_plane");
  const std::string* word = plane.is_set() ? std::get_if<std::string>(&plane.value) : nullptr;
  if (word == nullptr) return false;
  return slurm ? *word == "slurm" : *word == "kubernetes" || *word == "k3s";
}

/// Where Slurm gives a node no work: the states of slurm.conf that keep jobs away, or that nobody starts yet.
bool takes_no_jobs(const SlurmNodes& line) {
  constexpr std::array<std::string_view, 7> kAway{"cloud", "down", "drain", "fail", "failing", "future", "external"};
  return line.state.is_set() && std::ranges::any_of(kAway, [&](std::string_view word) {
           return equals_ignoring_case(line.state.value, word);
         });
}

/// A taint that keeps pods for GPUs away, or a cordon. The names of GPUs as taints keep only others away.
bool is_kept_apart(const Manifest& node) {
  const WrittenValue& cordoned = node.part("unschedulable");
  if (cordoned.kind == WrittenValue::Kind::Bool && cordoned.flag) return true;
  return std::ranges::any_of(node.part("taints").items(), [](const WrittenValue& taint) {
    const WrittenValue* key = taint.find("key");
    const WrittenValue* effect = taint.find("effect");
    return taint.state != State::Set || key == nullptr || effect == nullptr ||
           (effect->text() != "PreferNoSchedule" && key->text() != "nvidia.com/gpu" && key->text() != "amd.com/gpu");
  });
}

bool is_apart(const NodePool& pool) {
  return std::ranges::any_of(
      pool.taints, [](const PoolTaint& taint) { return taint.key != "nvidia.com/gpu" && taint.key != "amd.com/gpu"; });
}

/// Something that makes one plane of two: nodes of Slurm that are pods, or a Slurm that places pods.
std::set<std::string> joined_bundles(const Model& model) {
  std::set<std::string> out;
  const auto speaks = [](const WrittenValue& marks) {
    return std::ranges::any_of(marks.keys(), [](std::string_view key) { return contains(key, "slinky.slurm.net/"); });
  };
  for (const Gang& gang : model.gangs) {
    const bool bridge = gang.scheduler_name.value == "slurm-bridge-scheduler" || gang.scheduler.value == "slurm-bridge";
    if (bridge || gang.group == "slinky.slurm.net" || gang.group == "slurm.nebius.ai") out.insert(gang.bundle);
  }
  constexpr std::array<std::string_view, 4> kCharts{"helm-slurm-cluster", "slurm", "slurm-bridge", "slurm-cluster"};
  const ManifestDef* releases = &manifest_def("helm_releases");
  for (const Manifest& one : model.manifests) {
    const bool installs = one.def == releases && std::ranges::find(kCharts, one.part("chart").text()) != kCharts.end();
    if (installs || one.api_version.starts_with("slinky.slurm.net/") ||
        one.api_version.starts_with("slurm.nebius.ai/") || speaks(one.part("labels")) ||
        speaks(one.part("annotations")))
      out.insert(one.bundle);
  }
  return out;
}

/// Nodes of one side by their names.
struct NamedNode {
  Located<std::string> place;
  std::string says;
};
using NodesByName = std::unordered_map<std::string, NamedNode>;

class Overlaps {
 public:
  explicit Overlaps(Model& model) : model_(model), fleets_(model), joined_(joined_bundles(model)) {}

  void run() {
    for (const Manifest& one : model_.manifests) {
      if (one.def == nodes_ && one.name.is_set() && !is_kept_apart(one))
        nodes_of_[one.bundle].try_emplace(one.name.value, NamedNode{one.name, "a Node of Kubernetes"});
    }
    for (const Fleet& fleet : model_.fleets) {
      if (fleets_.of(fleet.bundle) != &fleet) continue;
      for (const NodePool& pool : fleet.node_pools) add_pool(fleet, pool);
    }
    for (const SlurmSite& site : model_.slurm_sites) {
      if (joined_.contains(site.bundle) || !site.nodes_known || site.fragment || site.is_template) continue;
      for (const SlurmNodes& line : site.nodes) {
        if (!line.hosts || takes_no_jobs(line)) continue;
        const bool idle = line.outside_count >= static_cast<std::int64_t>(line.hosts->size());
        if (idle) continue;
        PlaneOverlap found;
        found.file = site.file;
        found.bundle = site.bundle;
        found.slurm_says = "slurm.conf";
        look_among(nodes_in(site.bundle), *line.hosts, line.names, found);
        look_among(pools_of(fleets_.of(site.bundle)), *line.hosts, line.names, found);
      }
    }
    for (const Fleet& fleet : model_.fleets) {
      if (fleets_.of(fleet.bundle) == &fleet) look_at(fleet);
    }
  }

 private:
  /// Nodes that its pools of Slurm share with its others, or with Nodes of a bundle that it speaks of.
  void look_at(const Fleet& fleet) {
    for (const NodePool& pool : fleet.node_pools) {
      if (!is_under(pool, true) || !pool.hosts) continue;
      PlaneOverlap found;
      found.file = fleet.file;
      found.bundle = fleet.bundle;
      found.slurm_says = "node pool `" + pool.name.value + "` of Slurm";
      if (!joined_.contains(fleet.bundle)) look_among(pools_of(&fleet), *pool.hosts, pool.nodes, found);
      for (const auto& [bundle, nodes] : nodes_of_) {
        found.bundle = bundle;
        if (!joined_.contains(bundle) && fleets_.of(bundle) == &fleet)
          look_among(&nodes, *pool.hosts, pool.nodes, found);
      }
    }
  }

  const NodesByName* nodes_in(const std::string& bundle) const {
    const auto found = nodes_of_.find(bundle);
    return found == nodes_of_.end() ? nullptr : &found->second;
  }
  const NodesByName* pools_of(const Fleet* fleet) const {
    const auto found = pools_of_.find(fleet);
    return found == pools_of_.end() ? nullptr : &found->second;
  }

  void add_pool(const Fleet& fleet, const NodePool& pool) {
    if (!is_under(pool, false) || is_apart(pool) || !pool.hosts || pool.hosts->size() > kMostHosts) return;
    pool.hosts->each([&](std::string host) {
      pools_of_[&fleet].try_emplace(
          std::move(host),
          NamedNode{pool.nodes, "node pool `" + pool.name.value + "` of the fleet file, which gives it to " +
                                    std::get<std::string>(pool.fact("control_plane").value)});
    });
  }

  void look_among(const NodesByName* names, const Hostlist& hosts, const Located<std::string>& list,
                  PlaneOverlap made) {
    if (names == nullptr || hosts.size() > kMostHosts || !hosts.functions().empty() ||
        model_.plane_overlaps.size() >= kMostOverlaps || (looks_ += hosts.size()) > kMostHostLooks)
      return;
    hosts.each([&](const std::string& host) {
      const auto other = names->find(host);
      if (other == names->end()) return;
      if (++made.count == 1) {
        made.kubernetes = other->second.place;
        made.kubernetes_says = other->second.says;
      }
      if (made.nodes.size() < kShown) made.nodes.push_back(host);
    });
    if (made.count == 0) return;
    made.slurm = list;
    made.name = set_to(made.nodes.front(), list.where);
    made.where = list.where;
    made.id = (made.slurm_says == "slurm.conf" ? "slurm.conf/NodeName/" : "fleet/") + list.value;
    model_.plane_overlaps.push_back(std::move(made));
  }

  Model& model_;
  BundleFleets fleets_;
  std::uint64_t looks_ = 0;
  const ManifestDef* nodes_ = &manifest_def("node_objects");
  std::set<std::string> joined_;
  std::map<std::string, NodesByName> nodes_of_;  // by bundle
  std::map<const Fleet*, NodesByName> pools_of_;
};

/// What the objects of a bundle do about sick nodes.
class Chains {
 public:
  explicit Chains(Model& model) : model_(model) {}

  void run() {
    if (model_.fleets.size() != 1) return;  // of several nobody can tell whose objects these are
    const Fleet& fleet = model_.fleets.front();
    if (has_plane(fleet, true)) add(fleet, "slurm");
    if (has_plane(fleet, false)) add(fleet, "kubernetes");
  }

 private:
  static bool has_plane(const Fleet& fleet, bool slurm) {
    return std::ranges::any_of(fleet.node_pools, [&](const NodePool& pool) {
      const Located<FactValue>& gpus = pool.fact("gpus_per_node");
      return is_under(pool, slurm) && (!gpus.known() || std::get<std::int64_t>(gpus.value) > 0);
    });
  }

  void add(const Fleet& fleet, const std::string& plane) {
    DrainChain chain;
    static_cast<Object&>(chain) = fleet;
    chain.name = set_to(plane, fleet.where);
    chain.id = "fleet/" + plane;
    const Located<FactValue>& stated = fleet.fact("planes.fleet.cordon_and_drain");
    if (stated.is_set()) chain.stated = set_to(std::get<std::string>(stated.value), stated.where, stated.field);
    plane == "slurm" ? read_slurm(chain) : read_kubernetes(chain);
    read_work(fleet, plane == "slurm", chain);
    model_.drain_chains.push_back(std::move(chain));
  }

  static void say(Located<std::string>& link, std::string who, Span where) {
    if (!link.is_set()) link = set_to(std::move(who), where);
  }

  void read_slurm(DrainChain& chain) const {
    for (const SlurmSite& site : model_.slurm_sites) {
      const SlurmSetting* program = site.setting("healthcheckprogram");
      const SlurmSetting* interval = site.setting("healthcheckinterval");
      const bool runs = interval != nullptr && interval->value.value != "0";
      if (program != nullptr && runs) {
        say(chain.detect, "HealthCheckProgram `" + program->value.value + "`", program->where);
        // LBNL NHC drains what it finds sick; what another program does it alone knows.
        if (program->value.value.ends_with("/nhc")) {
          say(chain.quarantine, "NHC drains the node", program->where);
          say(chain.drain, "jobs of a drained node end, and no other follows", program->where);
        }
      }
      chain.judged = chain.judged || chain.detect.is_set();
      const SlurmSetting* requeue = site.setting("jobrequeue");
      if (requeue == nullptr && !site.file.empty() && site.complete)
        say(chain.resume, "slurmctld requeues batch jobs of a failed node (JobRequeue as shipped)", site.where);
      if (requeue != nullptr && requeue->value.value == "1")
        say(chain.resume, "slurmctld requeues batch jobs of a failed node (JobRequeue)", requeue->where);
    }
    for (const Manifest& one : model_.manifests) {
      if (one.def == soperator_ && one.part("health").state == State::Set)
        say(chain.detect, "health checks of SlurmCluster `" + one.name.value + "`", one.place_of("health"));
      if (one.def == controllers_)
        say(chain.drain, "slurm-operator drains the Slurm node of a cordoned one", one.where);
    }
  }

  void read_kubernetes(DrainChain& chain) const {
    Located<std::string> measured;  // by what has no opinion of a node
    for (const Manifest& one : model_.manifests) {
      if (one.def == checks_) {
        const std::string who = "NodeHealthCheck `" + one.name.value + "`";
        say(chain.detect, who, one.where);
        if (one.part("remedy").state == State::Set || one.part("remedies").state == State::Set) {
          say(chain.quarantine, "the remediation of " + who, one.where);
          say(chain.drain, "the remediation of " + who, one.where);
        }
      }
      if (one.def == daemons_ && contains(one.name.value, "node-problem-detector"))
        say(chain.detect, "node-problem-detector", one.where);
      if (one.def == daemons_ && contains(one.name.value, "dcgm-exporter")) say(measured, "DCGM exporter", one.where);
      if (one.def == policies_ && is_on(one.part("dcgm_exporter"), {"enabled"}).value_or(true))
        say(measured, "DCGM exporter of ClusterPolicy `" + one.name.value + "`", one.where);
      if (one.def == releases_) read_release(one, chain, measured);
    }
    chain.judged = chain.detect.is_set();
    if (!chain.judged) chain.detect = measured;
  }

  static std::optional<bool> is_on(const WrittenValue& tree, std::initializer_list<std::string_view> path) {
    const WrittenValue* value = &tree;
    for (const std::string_view key : path) {
      value = value->find(key);
      if (value == nullptr) return std::nullopt;
    }
    if (value->state != State::Set || value->kind != WrittenValue::Kind::Bool) return std::nullopt;
    return value->flag;
  }

  static void read_release(const Manifest& release, DrainChain& chain, Located<std::string>& measured) {
    const std::string_view chart = release.part("chart").text();
    const WrittenValue& values = release.part("values");
    if (contains(chart, "node-problem-detector")) say(chain.detect, "node-problem-detector", release.where);
    if (contains(chart, "dcgm-exporter")) say(measured, "DCGM exporter", release.where);
    if (contains(chart, "draino")) {
      say(chain.quarantine, "draino", release.where);
      say(chain.drain, "draino", release.where);
    }
    if (!contains(chart, "nvsentinel")) return;
    say(chain.detect, "NVSentinel", release.where);
    if (is_on(values, {"global", "dryRun"}) == true) return;
    if (is_on(values, {"global", "faultQuarantine", "enabled"}) == true)
      say(chain.quarantine, "fault-quarantine of NVSentinel", release.where);
    if (is_on(values, {"global", "nodeDrainer", "enabled"}) == true)
      say(chain.drain, "node-drainer of NVSentinel", release.where);
  }

  /// Whether all jobs of the workload that the input has run on the other plane.
  bool runs_elsewhere(std::size_t workload, bool slurm) const {
    bool here = false;
    bool there = false;
    for (const Gang& gang : model_.gangs) {
      if (gang.workload_index != workload) continue;
      ((gang.control_plane == ControlPlane::Slurm) == slurm ? here : there) = true;
    }
    return there && !here;
  }

  /// Checkpoints of its workloads, and nodes that the largest of them leaves over.
  void read_work(const Fleet& fleet, bool slurm, DrainChain& chain) const {
    std::int64_t largest = 0;
    for (std::size_t w = 0; w < model_.workloads.size(); ++w) {
      const Workload& work = model_.workloads[w];
      if (runs_elsewhere(w, slurm)) continue;
      const Located<FactValue>& every = work.fact("checkpoint.interval_seconds");
      const Located<FactValue>& again = work.fact("recovery_seconds");
      if (every.known() && again.known())
        say(chain.resume, "`" + work.name.value + "` goes on from its checkpoints", every.where);
      const Located<FactValue>& nodes = work.fact("nodes");
      if (nodes.known()) largest = std::max(largest, std::get<std::int64_t>(nodes.value));
    }
    std::int64_t most = 0;
    const NodePool* widest = nullptr;
    for (const NodePool& pool : fleet.node_pools) {
      if (!is_under(pool, slurm) || pool.node_count <= most) continue;
      most = pool.node_count;
      widest = &pool;
    }
    if (largest > 0 && widest != nullptr && most > largest)
      say(chain.spare,
          count_of(static_cast<std::size_t>(most - largest), "node") + " of pool `" + widest->name.value +
              "` beyond the largest job, if nothing else runs there",
          widest->where);
  }

  Model& model_;
  const ManifestDef* checks_ = &manifest_def("node_health_checks");
  const ManifestDef* controllers_ = &manifest_def("slinky_controllers");
  const ManifestDef* daemons_ = &manifest_def("daemon_sets");
  const ManifestDef* policies_ = &manifest_def("nvidia_policies");
  const ManifestDef* releases_ = &manifest_def("helm_releases");
  const ManifestDef* soperator_ = &manifest_def("soperator_clusters");
};

}  // namespace

void relate_planes(Model& model) {
  Overlaps(model).run();
  Chains(model).run();
}

}  // namespace muster
