#include <algorithm>
#include <array>

#include "facts/manifest_facts.h"
#include "facts/object_type.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

using Visit = std::function<void(const void*)>;

/// Visits a vector of the model.
template <auto member>
void each_of(const Model& model, const Visit& visit) {
  for (const auto& item : model.*member) visit(&item);
}

/// Visits a vector within each item of a vector of the model.
template <auto outer, auto inner>
void each_within(const Model& model, const Visit& visit) {
  for (const auto& item : model.*outer) {
    for (const auto& part : item.*inner) visit(&part);
  }
}

void each_slurm_setting(const Model& model, const Visit& visit) {
  for (const SlurmSite& site : model.slurm_sites) {
    for (const SlurmSetting& setting : site.settings) {
      if (!setting.filled_in) visit(&setting);
    }
  }
}

/// Visits what the bodies of batch scripts have of a kind.
template <auto member>
void each_of_script(const Model& model, const Visit& visit) {
  for (const SbatchJob& job : model.sbatch_jobs) {
    for (const auto& item : job.script.*member) visit(&item);
  }
}

void each_switch(const Model& model, const Visit& visit) {
  for (const SlurmSite& site : model.slurm_sites) {
    for (const Topology& topology : site.topologies) {
      for (const Switch& tree_switch : topology.switches) visit(&tree_switch);
    }
  }
}

void each_switch_child(const Model& model, const Visit& visit) {
  each_switch(model, [&](const void* object) {
    for (const SwitchChild& child : static_cast<const Switch*>(object)->children) visit(&child);
  });
}

void each_block(const Model& model, const Visit& visit) {
  for (const SlurmSite& site : model.slurm_sites) {
    for (const Topology& topology : site.topologies) {
      for (const TopologyBlock& block : topology.blocks) visit(&block);
    }
  }
}

void each_devices(const Model& model, const Visit& visit) {
  for (const SlurmSite& site : model.slurm_sites) {
    for (const SiteDevices& devices : site.table.devices) visit(&devices);
  }
}

/// Keys of every Slurm file of a site: slurm.conf, its records, gres.conf, cgroup.conf and slurmdbd.conf.
void each_pair(const Model& model, const Visit& visit) {
  for (const SlurmSite& site : model.slurm_sites) {
    for (const auto* settings : {&site.settings, &site.record_pairs, &site.cgroup, &site.database}) {
      for (const SlurmSetting& setting : *settings) {
        if (settings != &site.settings || !setting.filled_in) visit(&setting);
      }
    }
  }
}

constexpr std::array kCollections{
    Collection{"batch_launches", &kBatchLaunchType, "commands of batch scripts that start the processes of a program",
               each_of_script<&BatchScript::launches>},
    Collection{"batch_mpi_runs", &kBatchMpiRunType, "mpirun and mpiexec in batch scripts",
               each_of_script<&BatchScript::mpi_runs>},
    Collection{"batch_problems", &kBatchProblemType, "what batch jobs ask for and their sites do not have",
               each_within<&Model::sbatch_jobs, &SbatchJob::problems>},
    Collection{"batch_reads", &kBatchReadType,
               "variables of Slurm's that batch scripts read, and own ones that they set under another name",
               each_of_script<&BatchScript::reads>},
    Collection{"batch_requests", &kBatchRequestType, "what the components of batch jobs ask for",
               each_within<&Model::sbatch_jobs, &SbatchJob::parts>},
    Collection{"batch_steps", &kBatchStepType, "commands of batch scripts that start a step",
               each_of_script<&BatchScript::steps>},
    Collection{"batch_variables", &kBatchVariableType, "variables that batch scripts set",
               each_of_script<&BatchScript::variables>},
    Collection{"claim_uses", &kClaimUseType, "ResourceClaims and templates that pods list",
               each_of<&Model::claim_uses>},
    Collection{"containers", &kContainerType,
               "containers with accelerators, or that start ranks on GPUs, of objects of any kind",
               each_of<&Model::containers>},
    Collection{"drain_chains", &kDrainChainType, "who takes a sick node out of service, by plane",
               each_of<&Model::drain_chains>},
    Collection{"driver_shortfalls", &kDriverShortfallType, "images of CUDA above the driver of a node they may run on",
               each_of<&Model::driver_shortfalls>},
    Collection{"fleet_pools", &kPoolType, "node pools of fleet files", each_within<&Model::fleets, &Fleet::node_pools>},
    Collection{"fleets", &kFleetType, "fleet files", each_of<&Model::fleets>},
    Collection{"gangs", &kGangType, "workloads of every kind and Slurm jobs", each_of<&Model::gangs>},
    Collection{"gres_lines", &kGresLineType, "lines of gres.conf",
               each_within<&Model::slurm_sites, &SlurmSite::gres_lines>},
    Collection{"hyper_node_members", &kHyperNodeMemberType, "members of HyperNodes",
               each_within<&Model::hyper_nodes, &HyperNode::members>},
    Collection{"hyper_nodes", &kHyperNodeType, "Volcano HyperNodes", each_of<&Model::hyper_nodes>},
    Collection{"ignored_directives", &kIgnoredDirectiveType, "#SBATCH lines behind the first command",
               each_within<&Model::sbatch_jobs, &SbatchJob::ignored_directives>},
    Collection{"key_uses", &kKeyUseType, "keys of ConfigMaps and Secrets and ports of Services that other objects name",
               each_of<&Model::key_uses>},
    Collection{"level_topologies", &kLevelTopologyType, "Topologies of Kueue and KAI",
               each_of<&Model::level_topologies>},
    Collection{"plane_overlaps", &kPlaneOverlapType, "nodes that Slurm and Kubernetes both give work to",
               each_of<&Model::plane_overlaps>},
    Collection{"plane_ties", &kPlaneTieType, "values of Slinky and Soperator that the other plane contradicts",
               each_of<&Model::plane_ties>},
    Collection{"pod_groups", &kPodGroupType, "PodGroups of all systems", each_of<&Model::pod_groups>},
    Collection{"pod_sets", &kPodSetType, "sets of pods within gangs", each_within<&Model::gangs, &Gang::pod_sets>},
    Collection{"queue_flavors", &kQueueFlavorType, "flavors of ClusterQueues",
               each_within<&Model::queues, &Queue::flavors>},
    Collection{"queues", &kQueueType, "queues of all systems", each_of<&Model::queues>},
    Collection{"quotas", &kQuotaType, "what queues allow of each resource",
               each_within<&Model::queues, &Queue::quotas>},
    Collection{"removed_objects", &kRemovedObjectType,
               "objects of API versions that not every release of Kubernetes serves", each_of<&Model::removed_objects>},
    Collection{"resource_flavors", &kResourceFlavorType, "Kueue ResourceFlavors", each_of<&Model::resource_flavors>},
    Collection{"roles", &kRoleType, "pod templates of gangs", each_within<&Model::gangs, &Gang::roles>},
    Collection{"runtime_spreads", &kRuntimeSpreadType,
               "drivers, kernels, devices ... of the nodes that one gang may stand on",
               each_of<&Model::runtime_spreads>},
    Collection{"sbatch_jobs", &kSbatchJobType, "batch scripts", each_of<&Model::sbatch_jobs>},
    Collection{"sbatch_options", &kSbatchPairType, "options of batch scripts",
               each_within<&Model::sbatch_jobs, &SbatchJob::options>},
    Collection{"slurm_accounts", &kSlurmAccountType, "accounts of files for sacctmgr", each_of<&Model::slurm_accounts>},
    Collection{"slurm_devices", &kSlurmDevicesType, "what NodeName lines have of each Gres", each_devices},
    Collection{"slurm_down_nodes", &kSlurmDownNodesType, "DownNodes lines",
               each_within<&Model::slurm_sites, &SlurmSite::down_nodes>},
    Collection{"slurm_node_sets", &kSlurmNodeSetType, "NodeSet lines",
               each_within<&Model::slurm_sites, &SlurmSite::node_sets>},
    Collection{"slurm_nodes", &kSlurmNodesType, "NodeName lines", each_within<&Model::slurm_sites, &SlurmSite::nodes>},
    Collection{"slurm_pairs", &kSlurmSettingType,
               "keys of slurm.conf, its records, gres.conf, cgroup.conf and slurmdbd.conf; what many records repeat "
               "comes once",
               each_pair},
    Collection{"slurm_partitions", &kSlurmPartitionType, "PartitionName lines",
               each_within<&Model::slurm_sites, &SlurmSite::partitions>},
    Collection{"slurm_qos", &kSlurmQosType, "QOS of tables of sacctmgr", each_of<&Model::slurm_qos>},
    Collection{"slurm_settings", &kSlurmSettingType, "keys of slurm.conf", each_slurm_setting},
    Collection{"slurm_sites", &kSlurmSiteType, "slurm.conf files with their siblings", each_of<&Model::slurm_sites>},
    Collection{"submit_calls", &kSubmitCallType, "commands that give a script to sbatch, and are amiss",
               each_of<&Model::submit_calls>},
    Collection{"switch_children", &kSwitchChildType, "names in the lists of switches", each_switch_child},
    Collection{"switches", &kSwitchType, "switches of tree topologies", each_switch},
    Collection{"tenant_drifts", &kTenantDriftType, "numbers of one tenant that do not go together",
               each_of<&Model::tenant_drifts>},
    Collection{"topologies", &kTopologyType, "topology.conf and entries of topology.yaml",
               each_within<&Model::slurm_sites, &SlurmSite::topologies>},
    Collection{"topology_blocks", &kTopologyBlockType, "blocks, rings and toruses", each_block},
    Collection{"topology_drifts", &kTopologyDriftType, "nodes that two descriptions of one network place differently",
               each_of<&Model::topology_drifts>},
    Collection{"topology_levels", &kTopologyLevelType, "levels of Topologies of Kueue and KAI",
               each_within<&Model::level_topologies, &LevelTopology::levels>},
    Collection{"topology_marks", &kTopologyMarkType, "what Slurm's reader of topologies stumbles over or passes over",
               each_within<&Model::slurm_sites, &SlurmSite::topology_marks>},
    Collection{"useless_defaults", &kUselessDefaultType, "DEFAULT records that nothing follows",
               each_within<&Model::slurm_sites, &SlurmSite::useless_defaults>},
    Collection{"volcano_confs", &kVolcanoConfType, "configurations of Volcano's scheduler",
               each_of<&Model::volcano_confs>},
    Collection{"volcano_plugins", &kVolcanoPluginType, "plugins of those configurations",
               each_within<&Model::volcano_confs, &VolcanoConf::plugins>},
    Collection{"workloads", &kWorkloadType, "workloads of workloads files", each_of<&Model::workloads>},
};

constexpr std::array kObjectTypes{
    &kBatchLaunchType,     &kBatchMpiRunType,
    &kBatchProblemType,    &kBatchReadType,
    &kBatchRequestType,    &kBatchStepType,
    &kBatchVariableType,   &kClaimUseType,
    &kContainerType,       &kDomainType,
    &kFleetType,           &kPoolType,
    &kTenantType,          &kGangType,
    &kGresLineType,        &kIgnoredDirectiveType,
    &kPodGroupType,        &kPodSetType,
    &kQueueType,           &kQueueFlavorType,
    &kQuotaType,           &kRoleType,
    &kSbatchJobType,       &kSbatchPairType,
    &kSlurmDevicesType,    &kSlurmDownNodesType,
    &kSlurmNodeSetType,    &kSlurmNodesType,
    &kSlurmPartitionType,  &kHyperNodeType,
    &kHyperNodeMemberType, &kLevelTopologyType,
    &kTopologyLevelType,   &kRemovedObjectType,
    &kKeyUseType,          &kResourceFlavorType,
    &kTopologyDriftType,   &kSlurmSettingType,
    &kSlurmSiteType,       &kSwitchType,
    &kSwitchChildType,     &kTopologyType,
    &kTopologyBlockType,   &kTopologyMarkType,
    &kUselessDefaultType,  &kVolcanoConfType,
    &kVolcanoPluginType,   &kWorkloadType,
    &kDrainChainType,      &kDriverShortfallType,
    &kPlaneOverlapType,    &kRuntimeSpreadType,
    &kSlurmAccountType,    &kSlurmQosType,
    &kTenantDriftType,     &kPlaneTieType,
};

/// The version of the software called `name`; unknown when nobody said.
template <const char* name>
Value read_target(const void*, const ReadContext& context) {
  const auto found = context.targets->find(std::string_view(name));
  if (found != context.targets->end()) return Value::of(&found->second);
  return Value::unknown(
      context.arena->make(UnknownNeed{context.arena->copy("the version of " + std::string(name)), nullptr}));
}

constexpr char kKai[] = "kai";
constexpr char kKubernetes[] = "kubernetes";
constexpr char kKuberay[] = "kuberay";
constexpr char kKueue[] = "kueue";
constexpr char kSlurm[] = "slurm";
constexpr char kVolcano[] = "volcano";

// Whose releases rules may depend on. The releases muster knows stand in rules/reference/releases.yaml.
constexpr std::array kTargetFields{
    Field{kKai, kVersionType, Presence::Always, "version of KAI", read_target<kKai>},
    Field{kKubernetes, kVersionType, Presence::Always, "version of Kubernetes", read_target<kKubernetes>},
    Field{kKuberay, kVersionType, Presence::Always, "version of KubeRay", read_target<kKuberay>},
    Field{kKueue, kVersionType, Presence::Always, "version of Kueue", read_target<kKueue>},
    Field{kSlurm, kVersionType, Presence::Always, "version of Slurm", read_target<kSlurm>},
    Field{kVolcano, kVersionType, Presence::Always, "version of Volcano", read_target<kVolcano>},
};
const ObjectType kTargetType{"target", "versions of the software the input runs on", kTargetFields, nullptr, nullptr};

}  // namespace

const Field* ObjectType::find(std::string_view field) const {
  const auto found = std::ranges::lower_bound(fields, field, {}, &Field::name);
  return found == fields.end() || found->name != field ? nullptr : &*found;
}

std::span<const ObjectType* const> object_types() {
  static const std::vector<const ObjectType*> kAll = [] {
    std::vector<const ObjectType*> all = manifest_types();
    all.insert(all.begin(), kObjectTypes.begin(), kObjectTypes.end());
    return all;
  }();
  return kAll;
}
std::span<const Collection> collections() {
  static const std::vector<Collection> kAll = [] {
    std::vector<Collection> all = manifest_collections();
    all.insert(all.end(), kCollections.begin(), kCollections.end());
    std::ranges::sort(all, {}, &Collection::name);
    return all;
  }();
  return kAll;
}
const Collection* find_collection(std::string_view name) {
  const auto found = std::ranges::lower_bound(collections(), name, {}, &Collection::name);
  return found == collections().end() || found->name != name ? nullptr : &*found;
}
const ObjectType& target_type() { return kTargetType; }

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const Field& field : kTargetFields) names.push_back(field.name);
  return names;
}

}  // namespace muster
