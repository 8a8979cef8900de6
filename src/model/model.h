#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/boxed.h"
#include "base/version.h"
#include "model/claim_use.h"
#include "model/cloud_pool.h"
#include "model/cluster_topology.h"
#include "model/container.h"
#include "model/fleet.h"
#include "model/gang.h"
#include "model/key_use.h"
#include "model/manifest.h"
#include "model/planes.h"
#include "model/queue.h"
#include "model/removed_object.h"
#include "model/slurm.h"
#include "model/submit_call.h"
#include "model/volcano_conf.h"
#include "model/workload.h"
#include "model/world.h"

namespace muster {

struct SchedulerBook;

/// Who says how an operator is set, the weakest first. Elsewhere: a file says that another one does. Patch: of
/// Kustomize, for one of the files.
enum class SaidBy : unsigned char { Elsewhere, Files, Patch, Fleet, Config, CommandLine };

/// A setting of an operator: found in the input, or stated for it.
struct OperatorSetting {
  std::string name;  ///< operators.kuberay.batch-scheduler
  Located<std::string> value;
  std::string file;
  std::string bundle;  ///< empty: all of them
  SaidBy said_by = SaidBy::Files;
};

/// Everything the input says, in terms of gangs, queues and sites. From here on nobody looks at YAML.
struct Model {
  Boxed<Gang> gangs;
  std::vector<Queue> queues;
  std::vector<PodGroup> pod_groups;
  std::vector<SlurmSite> slurm_sites;
  std::vector<SbatchJob> sbatch_jobs;
  std::string spank_plugin;      ///< one of a plugstack.conf that may add options to sbatch, which ones is not known
  bool nixos_slurm = false;      ///< NixOS writes further lines of slurm.conf: services.slurm
  EditedKeys edited_keys;        ///< of slurm.conf, by scripts of the input
  bool makes_gres_conf = false;  ///< a script or playbook of the input speaks of a gres.conf
  bool makes_topology = false;   ///< or of a topology.conf or topology.yaml
  std::set<std::string>
      sliced_accelerators;  ///< resource names: a device plugin of the input makes several of one device
  std::vector<Workload> workloads;
  std::vector<Fleet> fleets;
  std::vector<World> worlds;  ///< of world files
  std::vector<OperatorSetting> operator_settings;
  std::vector<VolcanoConf> volcano_confs;
  std::vector<HyperNode> hyper_nodes;
  std::vector<LevelTopology> level_topologies;
  std::vector<ResourceFlavor> resource_flavors;
  std::vector<TopologyDrift> topology_drifts;
  std::vector<RemovedObject> removed_objects;
  std::set<std::string> unlisted_files;  ///< no kustomization lists them, though their folders have one
  Boxed<Container> containers;
  std::vector<CloudPool> cloud_pools;
  bool other_nodes = false;   ///< beside the cloud's pools that are known the input makes some, or labels nodes by hand
  Boxed<Manifest> manifests;  ///< their values lie in the files that they were read from, or in ...
  ValueBlock values;          ///< ... this
  std::vector<NamedKeys> named_keys;
  std::vector<KeyUse> key_uses;
  std::vector<ClaimUse> claim_uses;
  std::vector<SubmitCall> submit_calls;  ///< of which something is amiss
  std::vector<RuntimeSpread> runtime_spreads;
  std::vector<DriverShortfall> driver_shortfalls;
  std::vector<PlaneOverlap> plane_overlaps;
  std::vector<DrainChain> drain_chains;
  std::vector<SlurmAccount> slurm_accounts;
  std::vector<SlurmQos> slurm_qos;
  std::vector<TenantDrift> tenant_drifts;
  std::vector<PlaneTie> plane_ties;
};

/// What muster.yaml says of the input: which bundles are complete (there a reference to nothing is an error), how
/// operators are set.
struct LinkOptions {
  std::vector<std::string> complete_bundles;
  std::vector<OperatorSetting> stated;        ///< settings that no file of the input says: muster.yaml, --set
  const SchedulerBook* schedulers = nullptr;  ///< nullptr: as shipped
};

/// Looks for the pods of each described object, and for taints that they do not tolerate.
void relate_manifests(Model& model);
/// Pods that Services and PodDisruptionBudgets select, and claims that pods name. Part of relate_manifests.
void relate_selectors(Model& model);
/// Pods with accelerators that answer requests and that no Service selects, and monitors that select no Service.
void relate_unserved(Model& model);
/// Names that DNS does not have, namespaces that nothing leaves, proxies beside pods that end.
void relate_network(Model& model);
/// Containers that do not say what a quota of their namespace wants of each.
void relate_quotas(Model& model);
/// Containers that ask for more than a LimitRange of their namespace allows. Part of relate_manifests.
void relate_limit_ranges(Model& model);
/// What autoscalers scale: targets that no file has, replicas in the file of the target, a second autoscaler of it.
/// Part of relate_manifests.
void relate_autoscalers(Model& model);
/// ClusterQueues with accelerators for which their check asks no nodes. Part of relate_manifests.
void relate_checks(Model& model);
/// ClusterQueues that nothing of the input lends to in their cohort. Part of relate_manifests.
void relate_cohorts(Model& model);
/// Labels that pods select and that nodes of no NodePool have before they run. Part of relate_manifests.
void relate_late_labels(Model& model);
/// Sources of Flux that something names and no file has. Part of relate_manifests.
void relate_sources(Model& model);
/// What Flux has to have ready before itself. Part of relate_manifests.
void relate_circles(Model& model);
/// Routes and roles that mean the InferencePools of the input by another group. Part of relate_manifests.
void relate_pools(Model& model);
/// InferenceServices whose runtime does not have the format of their model. Part of relate_manifests.
void relate_model_formats(Model& model);
/// Services and budgets that meet what KubeRay makes.
void relate_ray(Model& model);
/// Services that select pods by the name of what an operator makes them of. Part of relate_selectors.
void relate_operator_labels(Model& model);
/// Keys of ConfigMaps and Secrets and ports of Services that others name; names meet within a bundle.
void relate_key_uses(Model& model);
/// ConfigMaps and Secrets that kustomize makes under another name than what names them says. Part of relate_key_uses.
void find_generated_names(Model& model);
/// ResourceClaims and templates that pods list, and objects that hand out devices and cannot stand beside each other;
/// once the gangs of the pods are known. Part of relate_manifests.
void relate_devices(Model& model);
/// Of classes of nodes the pool with GPUs that is made of each.
void relate_node_classes(Model& model);
/// What autoscalers and Kueue of the bundle make of the claims that pods list.
void relate_claims(Model& model);
/// Claims for more than the volumes that they can get, StatefulSets that name a Service which nothing is, and ports
/// that monitors ask for and nothing has. Parts of relate_selectors.
void relate_volumes(Model& model);
void relate_set_services(Model& model);
void relate_monitor_ports(Model& model);
/// Routes that no listener of their Gateway is for, TrainJobs that mean a runtime of another scope, and claims of GPUs
/// whose class NVIDIA's driver is told to leave out. Parts of relate_manifests.
void relate_listeners(Model& model);
void relate_train_jobs(Model& model);
void relate_driver_classes(Model& model);
/// Workflows of Argo whose accounts may not report results. Part of relate_manifests.
void relate_workflow_roles(Model& model);
/// Jobs that delete themselves and that an Application of Argo CD makes again. Part of relate_manifests.
void relate_kept_jobs(Model& model);
/// Fields of pods that Knative refuses as the input has it set. Part of relate_manifests.
void relate_knative(Model& model);
/// Policies by which pods reach hosts and cannot ask for their names. Part of relate_manifests.
void relate_name_servers(Model& model);
/// What policies leave out: ways in to what a Service offers, the port of OpenShift's name server.
void relate_policies(Model& model);
/// Pods that are larger than the machines of the node pools they select, and that select what none has. Part of
/// relate_manifests.
void relate_pool_sizes(Model& model);
/// Products of GPUs that pods select and that no driver has. Part of relate_manifests.
void relate_products(Model& model);

/// What differs among the nodes that one gang may be spread over, and drivers below what images need.
void relate_runtimes(Model& model);
/// Nodes that Slurm and Kubernetes both have, and who takes a sick node out of service on each of the two.
void relate_planes(Model& model);
/// Accounts of Slurm, queues and tenants of the fleet file that go by one name.
void relate_tenants(Model& model);
/// Values of Slinky's charts, NodeSets and SlurmClusters against slurm.conf, Nodes and the fleet file.
void relate_slinky(Model& model);

/// Pods that do not join the ComputeDomain of their gang, and channels of slurm-operator's pods; after
/// relate_manifests.
void relate_channels(Model& model);

/// Fills in what HyperNodes say of each other; names meet within a bundle.
void relate_hyper_nodes(Model& model);

/// Compares Slurm's topologies, HyperNodes and the domains of fleet files with each other.
void find_topology_drifts(Model& model);

/// Looks for the nodes of each batch job: which partition it goes to, and whether its components fit side by side.
void place_jobs(Model& model);

/// Holds what batch jobs ask for against what the nodes and partitions of their site have; after place_jobs. `looks`:
/// at groups of nodes, by all jobs together, some seconds; the first job beyond them gets Shortage::LeftOut.
void find_request_problems(Model& model, std::uint64_t looks = 4'000'000);

/// Joins what refers to each other: pods to PodGroups, gangs to queues and workloads, LocalQueues to ClusterQueues,
/// gres.conf and topologies to the nodes of their site. Names meet within one bundle; the nearest file wins.
void link(Model& model, const LinkOptions& options);

}  // namespace muster
