#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/maybe_index.h"
#include "base/quantity.h"
#include "base/rare_list.h"
#include "base/shared_text.h"
#include "model/object.h"
#include "source/rare.h"

namespace muster {

/// Whether the pods go through the scheduler that would place them together.
enum class Path { In, Out, Mixed };

/// How pods are committed to nodes; the model classes of the prover. Source: docs/gangs.md.
enum class Mechanism {
  PerPod,          ///< any one pod that fits, held for ever: kube-scheduler
  Atomic,          ///< K pods at once or none: Volcano, KAI, native PodGroup >= 1.36, Slurm
  HoldAndRelease,  ///< one by one, all released after a timeout: coscheduling, Koordinator, YuniKorn Hard
  Quota,           ///< whole gang against a quota, then as per-pod: Kueue without topology
  OrderedAtomic,   ///< components in order, greedy: Slurm heterogeneous jobs
};

/// In which order the members come into being.
enum class Startup {
  Parallel,
  Ordered,        ///< the next pod only after the one before is ready: StatefulSet OrderedReady
  Staged,         ///< a group only after another is ready or complete: dependsOn, InOrder
  LauncherWaits,  ///< the launcher only after the workers are ready: MPIJob WaitForWorkersReady
};

enum class ControlPlane { Slurm, Kubernetes };

template <>
struct EnumNames<Path> {
  static constexpr std::string_view names[] = {"in", "out", "mixed"};
};
template <>
struct EnumNames<Mechanism> {
  static constexpr std::string_view names[] = {"per-pod", "atomic", "hold-and-release", "quota", "ordered-atomic"};
};
template <>
struct EnumNames<Startup> {
  static constexpr std::string_view names[] = {"parallel", "ordered", "staged", "launcher-waits"};
};
template <>
struct EnumNames<ControlPlane> {
  static constexpr std::string_view names[] = {"slurm", "kubernetes"};
};

/// The gang and queue systems whose objects share kind names. Source: docs/gangs.md.
enum class GangSystem { Volcano, Coscheduling, Koordinator, Kai, Native, Kueue, Yunikorn };

template <>
struct EnumNames<GangSystem> {
  static constexpr std::string_view names[] = {"volcano", "coscheduling", "koordinator", "kai",
                                               "native",  "kueue",        "yunikorn"};
};

/// Pods of a gang that its scheduler takes as one: partitions of a task, sub-groups of a PodGroup, replicas of a
/// scaling group. Sets nest; each of its instances has the same pods of its roles.
struct PodSet {
  Located<std::string> name;
  std::optional<std::size_t> parent;    ///< in Gang::pod_sets; none: the gang itself
  Located<std::int64_t> instances;      ///< of this shape in one instance of the parent; absent: one
  Located<std::int64_t> min_instances;  ///< of them are placed together; absent: all
  Located<std::int64_t> min_pods;       ///< pods of one instance that are placed together; absent: all
  Located<std::int64_t> size;           ///< pods of one instance
  Rare<std::string> required_topology;  ///< node label: the pods of an instance have to stand in one domain of it
  Rare<std::int64_t> highest_tier;      ///< Volcano, hard: in one HyperNode of at most this tier
  bool apart = false;    ///< instances beyond `min_instances` are placed later, each as a gang of its own
  bool shared = false;   ///< pods of other gangs belong to the same instance
  std::size_t gang = 0;  ///< in Model::gangs
  Span where;
};

/// Accelerators of a resource.
struct Devices {
  Located<std::string> resource;
  Located<std::int64_t> count;
};

/// What YuniKorn holds places for before the pods come: so many placeholders of these requests.
/// Source: apache/yunikorn-k8shim:pkg/cache/utils.go (1.9).
struct TaskGroup {
  std::string name;
  std::int64_t min = 0;
  std::map<std::string, Quantity> each;  ///< minResource
  std::vector<std::string> tolerated;    ///< keys of taints that its placeholders tolerate; an empty one: any
};

/// Taints a pod may stand beside; an empty key, value or effect is any.
struct Toleration {
  std::string key;
  std::string value;
  std::string effect;
  bool any_value = false;  ///< operator Exists
};

/// Pods of one template within a gang.
struct Role {
  Located<std::string> name;
  Located<std::int64_t> count;       ///< pods wanted at the same time
  Located<std::int64_t> gpus_each;   ///< accelerators a pod asks for
  Located<std::string> accelerator;  ///< resource name, such as nvidia.com/gpu; absent without accelerators
  Rare<std::string> share;           ///< of each of them, where a pod gets no whole one: `0.5`, `4096`
  RareList<Devices> more_devices;    ///< that a pod asks for beside those: slices of MIG, another size of them
  Located<std::string> scheduler;    ///< schedulerName of the pod template
  Rare<std::string> unlimited;       ///< an accelerator that is requested without an equal limit
  Located<std::int64_t> min;         ///< pods of this role the scheduler guarantees, where it can be said per role
  std::size_t gang = 0;              ///< in Model::gangs
  MaybeIndex pod_set;                ///< in Gang::pod_sets: the innermost; `count` and `min` speak of all instances
  RareMap<std::string, std::string> labels;  ///< of its pod template
  Rare<std::string> required_topology;  ///< node label: its pods (of one instance) have to stand in one domain of it
  Rare<std::string> slice_topology;     ///< node label: so many of its pods at a time as ...
  Rare<std::int64_t> slice;             ///< ... this have to stand in one domain of it
  Rare<std::string> wanted_level;       ///< node label: the first level of a topology that it asks for, or prefers
  Rare<std::string> above_placeholder;  ///< YuniKorn: a resource of which a pod asks for more than its placeholder
  Rare<std::string> untolerated;        ///< YuniKorn: a taint that its pods tolerate and its placeholders do not
  bool picks_nodes = false;             ///< nodeSelector or affinity: not every node will do
  RareMap<std::string, std::string> node_selector;
  std::int64_t milli_cpus_each = 0;  ///< that a pod requests, as far as it is written
  std::int64_t memory_each = 0;      ///< bytes
  RareList<Toleration> tolerations;
  Rare<std::string> priority_class;
  std::vector<std::string> wants;  ///< what else it asks of its node, in words: affinity, host ports
  bool best_effort = false;        ///< no container of it requests or limits anything
  bool helper = false;             ///< launcher, submitter: the collective does not need it to be placed together
  Span where;
};

/// What few gangs have.
struct GangRemarks {
  Rare<std::string> queue_elsewhere;   ///< a namespace that has a queue of this name, where its own has none
  Rare<std::int64_t> first_stage;      ///< staged start: pods that exist before any dependent one
  Rare<std::int64_t> pod_group_total;  ///< pods it has, where they say it: Kueue
  Rare<bool> pod_group_found;
  Rare<std::string> kinds_managed;      ///< by the scheduler whose queue it names, and its own kind is none of them
  Rare<std::string> queue_home;         ///< the namespace of its LocalQueue, where its own is nowhere in the input
  Rare<std::string> queue_on_template;  ///< Kueue's label where Kueue does not look for it
  Rare<std::string> queue_unread;       ///< under a key that its scheduler does not read any more
  Rare<std::string> queue_taken;        ///< the one that its scheduler puts it into, where it names none
  Rare<std::string> joins;              ///< the host whose Ray cluster its pods join by hand: `ray start --address`
  Rare<std::int64_t> sent_guaranteed;   ///< K under who places all pods of some namespaces, where that is not 1
  Rare<std::string> stray_membership;   ///< a membership key of the wrong kind, such as a label for an annotation
  Rare<std::string> operator_means;     ///< the scheduler that a switch of it stands for, where the gang says which
  Rare<std::int64_t> operator_guaranteed;
  Rare<std::string> operator_value;  ///< the setting, where it is in the input; empty: no gang scheduler
  Rare<std::string> priority_class;  ///< that its scheduler reads from labels, where they stand
  Rare<std::string> preemptibility;  ///< KAI: whether others may take its place, in the words of its label
  Rare<bool> preemptible;            ///< KAI: whether others may take its place
  Rare<Quantity> own_quota;          ///< KAI: GPUs that its queue and those above are sure of, the least
  Rare<std::string> unmet_level;     ///< Kueue: a level that it asks for, and no flavor of its queue has
  Rare<std::string> sort_policy;     ///< YuniKorn: how its queue sorts applications
  Rare<std::string> above_max;       ///< YuniKorn: a resource of which its groups need more than a queue has
};

/// A set of pods (or nodes of a Slurm job) that one application needs together. The normal form of docs/gangs.md.
struct Gang : Object {
  ControlPlane control_plane = ControlPlane::Kubernetes;
  Startup startup = Startup::Parallel;
  Located<std::int64_t> instances;  ///< gangs of this shape: replicas of a LeaderWorkerSet; absent: one
  std::vector<Role> roles;
  std::vector<PodSet> pod_sets;            ///< parents before children
  Located<std::int64_t> size;              ///< N: pods (Slurm: nodes) of all roles
  Located<std::int64_t> essential;         ///< N without helpers, and without sets that are placed apart
  Located<std::int64_t> accelerator_pods;  ///< pods that ask for accelerators
  Located<std::int64_t> gpus;              ///< accelerators of the whole gang
  Located<std::string> accelerator;        ///< their resource name, where all roles use the same one
  Located<std::int64_t> requested;         ///< K as somebody wrote it: minAvailable, minMember, an annotation
  Located<std::int64_t> guaranteed;        ///< K: pods the scheduler guarantees to place together
  Located<std::int64_t> guaranteed_gpus;   ///< accelerators of those pods
  Located<Path> path;
  Located<Mechanism> mechanism;
  Located<std::string> scheduler_name;  ///< schedulerName as written in the pod templates
  Located<std::string> scheduler;       ///< the scheduler that decides, in one word: default, volcano, kai, kueue ...
  Located<bool> tightly_coupled;        ///< collectives over all members: no member is useful alone
  Located<bool> elastic;                ///< the application itself runs with fewer members
  Located<bool> restarts_whole;         ///< Volcano: some policy restarts all pods when one is lost
  Located<bool> restarts_evicted;       ///< Volcano: one of them answers a pod that is evicted
  Rare<std::string> required_topology;  ///< node label: all pods have to stand in one domain of it
  Rare<std::int64_t> highest_tier;      ///< Volcano, hard: all pods have to stand in one HyperNode of at most this tier
  SharedText topology_rests_on;         ///< what is taken as given where a topology of it counts; empty: nothing
  Located<std::string> queue;
  Located<bool> queue_found;                   ///< absent without a queue
  Rare<std::string> pod_group;                 ///< name of the group the pods say they belong to
  bool mixed_schedulers = false;               ///< the templates name different ones, helpers aside
  bool pod_group_is_object = true;             ///< false: no object describes it, its pods alone do
  bool binder_evicts = false;                  ///< single pods, for one of a higher priority
  bool binder_may_evict = false;               ///< it is not known to do so, and not known to spare them
  bool queue_bounds = false;                   ///< its scheduler holds it to the limits of a queue
  bool queue_given = false;                    ///< a queue that its scheduler always has, as where it names none
  bool operator_once_stated = false;           ///< where nobody states it, what is written counts
  bool works_alone = false;                    ///< what its pods run says that each works for itself
  MaybeIndex pod_group_index;                  ///< in Model::pod_groups
  MaybeIndex queue_index;                      ///< in Model::queues
  MaybeIndex queue_object;                     ///< the same, but a LocalQueue; without a queue the one it then goes to
  MaybeIndex workload_index;                   ///< in Model::workloads
  MaybeIndex scheduler_conf;                   ///< in Model::volcano_confs: the one of its bundle
  std::optional<GangSystem> pod_group_system;  ///< by the key the pods say it with
  SharedText binder;                           ///< the scheduler that binds its pods; empty: not known
  SharedText placed_like;                      ///< the scheduler whose ways its own has; empty: not known
  std::optional<std::int64_t> keeps_short;     ///< hold-and-release: Scheduler::keeps_short of it
  SharedText framework;                        ///< what Kueue calls its kind; empty: it manages none such
  SharedText kinds_setting;                    ///< the setting that lists the kinds its scheduler manages; empty: all
  Rare<std::string> workload;                  ///< the workload of the workloads file it belongs to
  /// Set where an operator's setting decides: who, which one, and K under a gang scheduler that it turns on. See
  /// link().
  SharedText operator_id;
  SharedText operator_option;
  RareList<TaskGroup> task_groups;  ///< YuniKorn: those that its pods name
  /// Of a gang that several Pods make together: the file and id of each.
  RareList<std::pair<std::string, std::string>> joined;
  Rare<std::string> decided_scheduler;  ///< id of the one that its cluster is decided to have, if that is decided
  RareParts<GangRemarks> remarks;
  std::vector<SharedText> evidence;  ///< the fields that size, path and mechanism were read from
};

/// `16 GPUs`, `4 TPU chips`, `1 NPU`: so many of a resource, in the words of its field; GPUs where it is not known.
std::string devices_in_words(std::string_view resource, std::int64_t count);

/// Sum of the counts of all roles, with the place and state of the first that is written.
Located<std::int64_t> total_of(const Gang& gang);

/// Instances of that set in one gang: the product up to the root; unknown where one of them is.
Located<std::int64_t> instances_of(const Gang& gang, std::size_t pod_set);

/// Whether `pod_set` is `outer` or stands within it.
bool is_within(const Gang& gang, std::size_t pod_set, std::size_t outer);

/// Fills the sizes of the sets, size, essential, gpus, accelerator and guaranteed_gpus from the roles and `guaranteed`.
void fill_sums(Gang& gang);

}  // namespace muster
