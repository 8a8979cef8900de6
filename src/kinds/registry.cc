#include "kinds/registry.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/scheduler.h"
#include "kubernetes/described_kind.h"

namespace muster {

// What each kind's file offers; nothing else in src/ calls these.
#define MUSTER_NORMALISES(kind)                             \
  namespace kind {                                          \
  void normalise(const Artifact&, const NormaliseContext&); \
  }
#define MUSTER_RECOGNISES(kind)     \
  namespace kind {                  \
  bool recognises(const Artifact&); \
  }
#define MUSTER_RECOGNISES_BY(kind)                        \
  namespace kind {                                        \
  bool recognises(const Artifact&, const SchedulerBook&); \
  }
MUSTER_RECOGNISES(fleet_file)
MUSTER_NORMALISES(fleet_file)
MUSTER_RECOGNISES(gres_conf)
MUSTER_NORMALISES(hyper_node)
MUSTER_NORMALISES(kai_queue)
MUSTER_NORMALISES(kai_topology)
MUSTER_NORMALISES(kueue_cluster_queue)
MUSTER_NORMALISES(kueue_local_queue)
MUSTER_NORMALISES(kueue_resource_flavor)
MUSTER_NORMALISES(kueue_topology)
MUSTER_NORMALISES(pod_group)
MUSTER_RECOGNISES(acct_gather_conf)
MUSTER_RECOGNISES(cgroup_conf)
MUSTER_RECOGNISES_BY(config_map)
MUSTER_NORMALISES(config_map)
MUSTER_RECOGNISES_BY(helm_values)
MUSTER_NORMALISES(helm_values)
MUSTER_NORMALISES(openshift_kueue)
MUSTER_RECOGNISES(operator_config)
MUSTER_NORMALISES(operator_config)
MUSTER_RECOGNISES(job_container_conf)
MUSTER_RECOGNISES(helpers_conf)
MUSTER_RECOGNISES(oci_conf)
MUSTER_RECOGNISES(slurmdbd_conf)
MUSTER_RECOGNISES(compose_file)
MUSTER_NORMALISES(compose_file)
MUSTER_RECOGNISES(ray_launcher)
MUSTER_NORMALISES(ray_launcher)
MUSTER_RECOGNISES(ray_runtime_env)
MUSTER_NORMALISES(ray_runtime_env)
MUSTER_RECOGNISES(sbatch)
MUSTER_NORMALISES(sbatch)
MUSTER_RECOGNISES(slurm_accounts)
MUSTER_NORMALISES(slurm_accounts)
MUSTER_RECOGNISES(slurm_qos)
MUSTER_NORMALISES(slurm_qos)
MUSTER_RECOGNISES(slurm_conf)
MUSTER_RECOGNISES(topology_conf)
MUSTER_RECOGNISES(topology_yaml)
MUSTER_RECOGNISES(yunikorn_queues)
MUSTER_NORMALISES(yunikorn_queues)
MUSTER_RECOGNISES(volcano_conf)
MUSTER_NORMALISES(volcano_conf)
MUSTER_RECOGNISES(volcano_discovery)
MUSTER_NORMALISES(volcano_discovery)
MUSTER_NORMALISES(volcano_queue)
MUSTER_RECOGNISES(workloads_file)
MUSTER_NORMALISES(workloads_file)
MUSTER_RECOGNISES(world_file)
MUSTER_NORMALISES(world_file)
#undef MUSTER_NORMALISES
#undef MUSTER_RECOGNISES
#undef MUSTER_RECOGNISES_BY
namespace {

constexpr auto kManifest = Format::Manifest;

constexpr std::array kKinds{
    Kind{"acct-gather-conf", Format::SlurmConf, "", "", "", "Slurm acct_gather.conf; recognised, not checked",
         acct_gather_conf::recognises, nullptr},
    Kind{"cgroup-conf", Format::SlurmConf, "", "", "", "Slurm cgroup.conf", cgroup_conf::recognises, nullptr},
    Kind{"compose-file", Format::Own, "", "", "", "file of Docker Compose",
         compose_file::recognises, compose_file::normalise},
    Kind{"config-map", kManifest, "", "v1", "ConfigMap", "ConfigMap that holds an operator's Configuration", nullptr,
         config_map::normalise, nullptr, config_map::recognises},
    Kind{"fleet-file", Format::Own, "", "", "", "muster: fleet/v1", fleet_file::recognises, fleet_file::normalise},
    Kind{"gres-conf", Format::SlurmConf, "", "", "", "Slurm gres.conf", gres_conf::recognises, nullptr},
    Kind{"helm-values", Format::Own, "", "", "", "values of an operator's Helm chart that say how it treats gangs",
         nullptr, helm_values::normalise, nullptr, helm_values::recognises},
    Kind{"helpers-conf", Format::SlurmConf, "", "", "", "Slurm helpers.conf; recognised, not checked",
         helpers_conf::recognises, nullptr},
    Kind{"job-container-conf", Format::SlurmConf, "", "", "", "Slurm job_container.conf; recognised, not checked",
         job_container_conf::recognises, nullptr},
    Kind{"kai-queue", kManifest, "scheduling.run.ai", "v2", "Queue", "Queue of KAI and Run:ai", nullptr,
         kai_queue::normalise},
    Kind{"kai-topology", kManifest, "kai.scheduler", "v1alpha1", "Topology", "Topology of KAI", nullptr,
         kai_topology::normalise},
    Kind{"kueue-cluster-queue", kManifest, "kueue.x-k8s.io", "v1beta1 v1beta2", "ClusterQueue", "Kueue ClusterQueue",
         nullptr, kueue_cluster_queue::normalise},
    Kind{"kueue-local-queue", kManifest, "kueue.x-k8s.io", "v1beta1 v1beta2", "LocalQueue", "Kueue LocalQueue", nullptr,
         kueue_local_queue::normalise},
    Kind{"kueue-resource-flavor", kManifest, "kueue.x-k8s.io", "v1beta1 v1beta2", "ResourceFlavor",
         "Kueue ResourceFlavor: its node labels and its Topology", nullptr, kueue_resource_flavor::normalise},
    Kind{"kueue-topology", kManifest, "kueue.x-k8s.io", "v1alpha1 v1beta1 v1beta2", "Topology", "Kueue Topology",
         nullptr, kueue_topology::normalise},
    Kind{"native-composite-pod-group", kManifest, "scheduling.k8s.io", "v1alpha3", "CompositePodGroup",
         "CompositePodGroup of Kubernetes itself; recognised, not checked", nullptr, nullptr},
    Kind{"oci-conf", Format::SlurmConf, "", "", "", "Slurm oci.conf; recognised, not checked", oci_conf::recognises,
         nullptr},
    Kind{"openshift-kueue", kManifest, "kueue.openshift.io", "v1 v1alpha1", "Kueue",
         "Kueue as Red Hat's operator installs it: the kinds it manages", nullptr, openshift_kueue::normalise},
    Kind{"ray-launcher", Format::Own, "", "", "",
         "cluster config of the Ray launcher: nodes of a cloud, each for itself", ray_launcher::recognises,
         ray_launcher::normalise},
    Kind{"ray-runtime-env", Format::Own, "", "", "", "runtime_env of a job of Ray, in a file of its own",
         ray_runtime_env::recognises, ray_runtime_env::normalise},
    Kind{"sbatch", Format::Batch, "", "", "", "Slurm batch script", sbatch::recognises, sbatch::normalise},
    Kind{"slurm-accounts", Format::Own, "", "", "", "file of sacctmgr dump: accounts, their shares and limits",
         slurm_accounts::recognises, slurm_accounts::normalise},
    Kind{"slurm-conf", Format::SlurmConf, "", "", "", "Slurm slurm.conf, or a piece of it meant for Include",
         slurm_conf::recognises, nullptr},
    Kind{"slurm-qos", Format::Own, "", "", "", "table of sacctmgr show qos: limits of each QOS", slurm_qos::recognises,
         slurm_qos::normalise},
    Kind{"slurmdbd-conf", Format::SlurmConf, "", "", "", "Slurm slurmdbd.conf", slurmdbd_conf::recognises, nullptr},
    Kind{"topology-conf", Format::SlurmConf, "", "", "", "Slurm topology.conf", topology_conf::recognises, nullptr},
    Kind{"topology-yaml", Format::Own, "", "", "", "Slurm topology.yaml", topology_yaml::recognises, nullptr},
    Kind{"volcano-controller-conf", kManifest, "", "v1", "ConfigMap",
         "ConfigMap with volcano-controller.conf: how Volcano discovers the network", volcano_discovery::recognises,
         volcano_discovery::normalise},
    Kind{"volcano-hyper-node", kManifest, "topology.volcano.sh", "v1alpha1", "HyperNode", "Volcano HyperNode", nullptr,
         hyper_node::normalise},
    Kind{"volcano-queue", kManifest, "scheduling.volcano.sh", "v1beta1", "Queue", "Volcano Queue", nullptr,
         volcano_queue::normalise},
    Kind{"volcano-scheduler-conf", kManifest, "", "v1", "ConfigMap",
         "ConfigMap with volcano-scheduler.conf: actions and plugins of Volcano's scheduler", volcano_conf::recognises,
         volcano_conf::normalise},
    Kind{"workloads-file", Format::Own, "", "", "", "muster: workloads/v1", workloads_file::recognises,
         workloads_file::normalise},
    Kind{"world-file", Format::Own, "", "", "", "muster: world/v1", world_file::recognises, world_file::normalise},
    Kind{"yunikorn-queues", kManifest, "", "v1", "ConfigMap", "ConfigMap with queues.yaml: the queues of YuniKorn",
         yunikorn_queues::recognises, yunikorn_queues::normalise},
};

constexpr bool sorted_by_id() {
  return std::ranges::adjacent_find(kKinds, [](const Kind& a, const Kind& b) { return a.id >= b.id; }) == kKinds.end();
}
static_assert(sorted_by_id(), "keep kKinds sorted by id, without duplicates");

}  // namespace

KindTable::KindTable(const std::vector<const DescribedKind*>& described, const SchedulerBook& schedulers)
    : all_(kKinds.begin(), kKinds.end()), schedulers_(&schedulers) {
  for (const DescribedKind* one : described) {
    if (one->head().read) all_.push_back(kind_of(*one));
  }
  for (const Scheduler& row : schedulers.schedulers) {
    if (!row.pod_group) continue;
    const PodGroupForm& form = *row.pod_group;
    all_.push_back(
        {form.id, Format::Manifest, form.group, form.versions, "PodGroup", form.doc, nullptr, pod_group::normalise});
  }
  for (const Operator& which : schedulers.operators) {
    const OperatorConfig& config = which.config;
    if (!config.api.empty())
      all_.push_back({config.id, kManifest, config.api, config.versions, config.kind, config.doc,
                      operator_config::recognises, operator_config::normalise});
  }
  std::ranges::sort(all_, {}, &Kind::id);
}

const KindTable& KindTable::shipped() {
  static const KindTable kShipped = [] {
    std::vector<const DescribedKind*> described;
    for (const DescribedKind& one : shipped_kinds()) described.push_back(&one);
    return KindTable(described, SchedulerBook::shipped());
  }();
  return kShipped;
}

const Kind* KindTable::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(all_, id, {}, &Kind::id);
  return found == all_.end() || found->id != id ? nullptr : &*found;
}

bool KindTable::is(const Kind& kind, const Artifact& artifact) const {
  if (kind.recognises_by != nullptr) return kind.recognises_by(artifact, *schedulers_);
  return kind.recognises == nullptr || kind.recognises(artifact);
}

const Kind* KindTable::find_manifest(std::string_view api_version, std::string_view object_kind,
                                     const Artifact* artifact) const {
  const std::size_t slash = api_version.find('/');
  const std::string_view group = api_group(api_version);
  const std::string_view version = slash == api_version.npos ? api_version : api_version.substr(slash + 1);
  for (const Kind& kind : all_) {
    if (kind.format != kManifest || kind.object_kind != object_kind || kind.group != group) continue;
    const std::vector<std::string_view> versions = split(kind.versions, ' ');
    if (std::ranges::find(versions, version) == versions.end()) continue;
    const bool whatever = kind.recognises == nullptr && kind.recognises_by == nullptr;
    if (whatever || (artifact != nullptr && is(kind, *artifact))) return &kind;
  }
  return nullptr;
}

std::vector<std::string> KindTable::versions_of(std::string_view api_version, std::string_view object_kind) const {
  std::vector<std::string> out;
  for (const Kind& kind : all_) {
    const bool same =
        kind.format == kManifest && kind.object_kind == object_kind && kind.group == api_group(api_version);
    if (!same) continue;
    for (const std::string_view version : split(kind.versions, ' ')) {
      out.push_back(std::string(kind.group) + "/" + std::string(version));
      if (out.back() == api_version) return {};
    }
  }
  return out;
}

std::span<const Kind> all_kinds() { return KindTable::shipped().all(); }

const Kind* find_kind(std::string_view id) { return KindTable::shipped().find(id); }

}  // namespace muster
