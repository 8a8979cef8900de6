#include <algorithm>
#include <array>

#include "base/capped.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kPathType = enum_type<Path>();
constexpr Type kMechanismType = enum_type<Mechanism>();
constexpr Type kStartupType = enum_type<Startup>();
constexpr Type kControlPlaneType = enum_type<ControlPlane>();
constexpr Type kRoleObject = object_of(kRoleType);
constexpr Type kRoleList = list_of(kRoleObject);
constexpr Type kPodSetObject = object_of(kPodSetType);
constexpr Type kPodSetList = list_of(kPodSetObject);
constexpr Type kGangObject = object_of(kGangType);

const Gang& gang_of(const void* object) { return *static_cast<const Gang*>(object); }

/// True as soon as one role names an accelerator, whatever its number.
Value has_accelerators(const void* object, const ReadContext& context) {
  for (const Role& role : gang_of(object).roles) {
    const bool some = role.accelerator.is_set() || (role.accelerator.known() && role.gpus_each.unknown());
    if (some) return Value::of(true).with_origin(&role.accelerator);
  }
  for (const Role& role : gang_of(object).roles) {
    if (role.gpus_each.unknown()) return to_value(role.gpus_each, context);
    if (role.gpus_each.known() && role.gpus_each.value > 0) return Value::of(true).with_origin(&role.gpus_each);
  }
  return Value::of(false);
}

/// Whether the quota is one of these devices: KAI calls those of all makers `gpu`. Source:
/// kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2/queue_types.go (0.17).
bool is_quota_of(const Quota& quota, const Queue& queue, std::string_view accelerator) {
  if (queue.system == GangSystem::Kai) return quota.resource == "gpu" && accelerator.ends_with("/gpu");
  return quota.resource == accelerator;
}

/// Whether others of its cohort may lend it something.
bool may_borrow(const Queue& queue) {
  return queue.system == GangSystem::Kueue && queue.cohort.state != State::Absent && !queue.lone_in_cohort.known();
}

/// A quota that is all there is as long as nobody else is in the cohort.
const Located<Quantity>* origin_of_limit(const Queue& queue, const Quota& quota, const ReadContext& context) {
  if (!queue.lone_in_cohort.assumed()) return &quota.limit;
  return context.arena->own(
      assumed_to(quota.limit.value, std::string(queue.lone_in_cohort.needs()), quota.limit.where, quota.limit.field));
}

/// Accelerators of all pods of the role that needs most.
std::int64_t largest_role(const Gang& gang) {
  std::int64_t most = 0;
  for (const Role& role : gang.roles) {
    if (role.count.known() && role.gpus_each.known())
      most = std::max(most, multiply_capped(role.count.value, role.gpus_each.value));
  }
  return most;
}

/// What its queue grants of its accelerator at most. Kueue: the best flavor, with what it may borrow; all of them
/// together where each role finds room in one, for each is a pod set and may get another. Source:
/// kubernetes-sigs/kueue:pkg/scheduler/flavorassigner/flavorassigner.go (0.19), findFlavorForPodSets.
Value queue_limit(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index || !gang.accelerator.is_set()) return Value::absent();
  const Queue& queue = context.model->queues[*gang.queue_index];
  Value best = Value::absent();
  Quantity sum;
  for (const Quota& quota : queue.quotas) {
    if (!is_quota_of(quota, queue, gang.accelerator.value) || quota.limit.state == State::Absent) continue;
    if (quota.limit.known() && quota.limit.value.whole < 0) continue;  // KAI: no limit
    const bool borrows = may_borrow(queue);
    if (quota.limit.unknown()) return to_value(quota.limit, context);
    if (borrows && !quota.borrowing.known()) {
      return Value::unknown(context.arena->make(UnknownNeed{"the quotas of the cohort it may borrow from", nullptr}));
    }
    const Quantity total = borrows ? quota.limit.value + quota.borrowing.value : quota.limit.value;
    sum = sum + total;
    if (best.is(Value::Kind::Absent) || best.as_quantity() < total)
      best = Value::of(total).with_origin(origin_of_limit(queue, quota, context));
  }
  const bool one_each = queue.system == GangSystem::Kueue && !best.is(Value::Kind::Absent) &&
                        largest_role(gang) <= best.as_quantity().whole;
  return one_each && best.as_quantity() < sum ? Value::of(sum).with_origin(best.origin()) : best;
}

Value role_gang(const void* object, const ReadContext& context) {
  return Value::object(&kGangType, &context.model->gangs[static_cast<const Role*>(object)->gang]);
}

Value set_gang(const void* object, const ReadContext& context) {
  return Value::object(&kGangType, &context.model->gangs[static_cast<const PodSet*>(object)->gang]);
}

Value sliced(const void* object, const ReadContext& context) {
  return Value::of(context.model->sliced_accelerators.contains(gang_of(object).accelerator.value));
}

Value with_gpus(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.gpus.known() || gang.gpus.value == 0) return Value::of(std::string_view());
  const std::string each = gang.instances.known() && gang.instances.value > 1 ? " each" : "";
  return Value::of(context.arena->copy(" with " + devices_in_words(gang.accelerator.value, gang.gpus.value) + each));
}

Value has_workload(const void* object, const ReadContext&) {
  return Value::of(gang_of(object).workload_index.has_value());
}

/// Queues below the one it names.
Value queue_children(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index) return Value::absent();
  return Value::of(context.model->queues[*gang.queue_index].children);
}

/// Whether the queue it names is neither below another one nor above one.
Value queue_alone(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index) return Value::absent();
  const Queue& queue = context.model->queues[*gang.queue_index];
  return Value::of(queue.parent.state == State::Absent && queue.children == 0);
}

/// Whether its queue has a quota of its accelerator at all.
Value queue_covers(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index || !gang.accelerator.is_set()) return Value::absent();
  const Queue& queue = context.model->queues[*gang.queue_index];
  const bool covers = std::ranges::any_of(
      queue.quotas, [&](const Quota& quota) { return is_quota_of(quota, queue, gang.accelerator.value); });
  return Value::of(covers);
}

struct PodResource {
  std::string_view name;
  std::int64_t Role::*each;
  std::int64_t unit;  ///< of the number: a thousandth of a CPU
};
constexpr std::array<PodResource, 2> kPodResources{
    {{"cpu", &Role::milli_cpus_each, 1000}, {"memory", &Role::memory_each, 1}}};

/// A resource of those that a role wants beside CPUs, memory and its accelerators, in backticks, that the queue has no
/// quota of; empty: none. Those of vendors may be counted as others by a transformation of Kueue's configuration.
std::string_view other_uncovered(const Role& role, const Queue& queue) {
  for (const std::string_view want : role.wants) {
    const bool resource = want.size() > 2 && want.front() == '`' && want.back() == '`';
    const std::string_view name = resource ? want.substr(1, want.size() - 2) : std::string_view();
    if (!resource || name.find('/') != name.npos) continue;
    if (std::ranges::find(queue.quotas, name, &Quota::resource) == queue.quotas.end()) return name;
  }
  return {};
}

/// What its pods request beside its accelerator and its ClusterQueue has no quota of.
Value queue_uncovered(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index || context.model->queues[*gang.queue_index].quotas.empty()) return Value::absent();
  const Queue& queue = context.model->queues[*gang.queue_index];
  for (const PodResource& resource : kPodResources) {
    const bool asked = std::ranges::any_of(gang.roles, [&](const Role& role) { return role.*resource.each > 0; });
    if (asked && std::ranges::find(queue.quotas, resource.name, &Quota::resource) == queue.quotas.end())
      return Value::of(resource.name);
  }
  for (const Role& role : gang.roles) {
    const std::string_view name = other_uncovered(role, queue);
    if (!name.empty()) return Value::of(name);
  }
  return Value::absent();
}

/// CPU or memory of which all pods of a role request more than any flavor of its ClusterQueue has. What it may borrow
/// is unknown.
Value queue_short(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.queue_index) return Value::absent();
  const Queue& queue = context.model->queues[*gang.queue_index];
  for (const PodResource& resource : kPodResources) {
    Quantity most;
    const Quota* any = nullptr;
    for (const Quota& quota : queue.quotas) {
      if (quota.resource != resource.name) continue;
      if (!quota.limit.known()) return Value::absent();
      any = &quota;
      most = std::max(most, quota.limit.value);
    }
    const double limit =
        (static_cast<double>(most.whole) + static_cast<double>(most.nano) * 1e-9) * static_cast<double>(resource.unit);
    for (const Role& role : gang.roles) {
      const std::int64_t each = role.*resource.each;
      if (any == nullptr || !role.count.known()) continue;
      if (static_cast<double>(each) * static_cast<double>(role.count.value) <= limit) continue;
      if (may_borrow(queue))
        return Value::unknown(context.arena->make(UnknownNeed{"the quotas of the cohort it may borrow from", nullptr}));
      return Value::of(resource.name).with_origin(origin_of_limit(queue, *any, context));
    }
  }
  return Value::absent();
}

Value scheduler_plugins(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.scheduler_conf) return Value::absent();
  return kVolcanoConfType.find("plugins")->read(&context.model->volcano_confs[*gang.scheduler_conf], context);
}

/// Off unless the plugin `predicates` is told to. Source:
/// volcano-sh/volcano:pkg/scheduler/plugins/predicates/predicates.go (1.12 to 1.15).
Value scheduler_reads_claims(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.scheduler_conf) return Value::absent();
  const VolcanoConf& conf = context.model->volcano_confs[*gang.scheduler_conf];
  const VolcanoPlugin* predicates = conf.plugin("predicates");
  return predicates == nullptr || !conf.understood ? Value::absent() : Value::of(predicates->claims);
}

Value task_groups(const void* object, const ReadContext&) {
  return Value::of(static_cast<std::int64_t>(gang_of(object).task_groups.size()));
}

/// Pods of its PodGroup, those of other objects too.
Value group_pods(const void* object, const ReadContext& context) {
  const Gang& gang = gang_of(object);
  if (!gang.pod_group_index) return Value::absent();
  return to_value(context.model->pod_groups[*gang.pod_group_index].members, context);
}

constexpr std::array kGangFields{
    Field{"above_max", kStringType, kOptional,
          "YuniKorn: a resource of which its task groups need more than its queue, or one above, may use",
          read_remark<Gang, &GangRemarks::above_max>},
    Field{"accelerator", kStringType, kOptional, "resource name of the accelerators, where all roles use the same",
          read<Gang, &Gang::accelerator>},
    Field{"accelerator_pods", kIntType, kAlways, "pods that ask for accelerators", read<Gang, &Gang::accelerator_pods>},
    Field{"control_plane", kControlPlaneType, kAlways, "where it runs: slurm or kubernetes",
          read<Gang, &Gang::control_plane>},
    Field{"decided_scheduler", kStringType, kOptional,
          "the gang scheduler that its cluster is decided to have: volcano, kai, kueue, native ...; absent while open",
          read<Gang, &Gang::decided_scheduler>},
    Field{"elastic", kBoolType, kAlways, "the application itself runs with fewer members", read<Gang, &Gang::elastic>},
    Field{"essential", kIntType, kAlways, "pods without helpers such as an MPI launcher", read<Gang, &Gang::essential>},
    Field{"first_stage", kIntType, kOptional, "of a staged start: pods that exist before any that depends on others",
          read_remark<Gang, &GangRemarks::first_stage>},
    Field{"gpus", kIntType, kAlways, "accelerators of all its pods", read<Gang, &Gang::gpus>},
    Field{"group", kStringType, kAlways, "API group of its object; empty for a Slurm job", read<Gang, &Object::group>},
    Field{"group_pods", kIntType, kOptional, "pods of the input that join its PodGroup, those of other objects too",
          group_pods},
    Field{"guaranteed", kIntType, kAlways, "K: pods the scheduler guarantees to place together",
          read<Gang, &Gang::guaranteed>},
    Field{"guaranteed_gpus", kIntType, kAlways, "accelerators of the guaranteed pods",
          read<Gang, &Gang::guaranteed_gpus>},
    Field{"has_accelerators", kBoolType, kAlways, "some pod asks for an accelerator", has_accelerators},
    Field{"has_workload", kBoolType, kAlways, "it is tied to a workload of a workloads file", has_workload},
    Field{"highest_tier", kIntType, kOptional, "Volcano: tier of the one HyperNode that has to hold it",
          read<Gang, &Gang::highest_tier>},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name", read<Gang, &Object::id>},
    Field{"instances", kIntType, kOptional,
          "gangs of this shape, where its object makes several: replicas of a LeaderWorkerSet",
          read<Gang, &Gang::instances>},
    Field{"kind", kStringType, kAlways, "kind of its object: Job, JobSet, RayCluster, sbatch ...",
          read<Gang, &Object::kind>},
    Field{"kinds_managed", kStringType, kOptional,
          "the kinds that the scheduler of its queue manages, by a setting of the input, and its own is none of them",
          read_remark<Gang, &GangRemarks::kinds_managed>},
    Field{"mechanism", kMechanismType, kAlways, "how its pods are committed to nodes", read<Gang, &Gang::mechanism>},
    Field{"mixed_schedulers", kBoolType, kAlways, "its pod templates name different schedulers, helpers aside",
          read<Gang, &Gang::mixed_schedulers>},
    Field{"name", kStringType, kAlways, "name of its object", read<Gang, &Object::name>},
    Field{"operator_means", kStringType, kOptional, "the scheduler that it asks its operator for",
          read_remark<Gang, &GangRemarks::operator_means>},
    Field{"operator_value", kStringType, kOptional,
          "gang scheduler of its operator, where the operator is in the input; empty: none",
          read_remark<Gang, &GangRemarks::operator_value>},
    Field{"own_quota", kQuantityType, kOptional,
          "KAI: GPUs that its queue and those above are sure of, the least of them",
          read_remark<Gang, &GangRemarks::own_quota>},
    Field{"path", kPathType, kAlways, "whether its pods go through a scheduler that places gangs",
          read<Gang, &Gang::path>},
    Field{"pod_group", kStringType, kOptional, "the group its pods say they belong to, a PodGroup where there is one",
          read<Gang, &Gang::pod_group>},
    Field{"pod_group_found", kBoolType, kOptional, "that PodGroup is in the input",
          read_remark<Gang, &GangRemarks::pod_group_found>},
    Field{"pod_sets", kPodSetList, kAlways, "its pods as its scheduler takes them together: partitions, sub-groups",
          read_objects<Gang, &Gang::pod_sets, kPodSetType>},
    Field{"preemptible", kBoolType, kOptional, "KAI: others may take its place",
          read_remark<Gang, &GangRemarks::preemptible>},
    Field{"queue", kStringType, kOptional, "its queue", read<Gang, &Gang::queue>},
    Field{"queue_alone", kBoolType, kOptional, "that queue has no queue above it and none below", queue_alone},
    Field{"queue_children", kIntType, kOptional, "queues right below the one it names", queue_children},
    Field{"queue_covers", kBoolType, kOptional, "its queue has a quota of its accelerator", queue_covers},
    Field{"queue_elsewhere", kStringType, kOptional,
          "another namespace of the bundle that has a queue of this name, where its own has none",
          read_remark<Gang, &GangRemarks::queue_elsewhere>},
    Field{"queue_found", kBoolType, kOptional, "that queue is in the input", read<Gang, &Gang::queue_found>},
    Field{"queue_home", kStringType, kOptional,
          "the namespace, not `default`, of its LocalQueue, where it names none and nothing in the input gives it one",
          read_remark<Gang, &GangRemarks::queue_home>},
    Field{"queue_limit", kQuantityType, kOptional, "what its queue grants of its accelerator at most", queue_limit},
    Field{"queue_on_template", kStringType, kOptional,
          "Kueue's queue label on the pod template, where Kueue does not look",
          read_remark<Gang, &GangRemarks::queue_on_template>},
    Field{"queue_short", kStringType, kOptional,
          "cpu or memory, where the pods of a role request more of it than any flavor of its queue has", queue_short},
    Field{"queue_uncovered", kStringType, kOptional,
          "what its pods request beside its accelerator, and its queue has no quota of: cpu, ephemeral-storage",
          queue_uncovered},
    Field{"queue_unread", kStringType, kOptional, "a queue under a key that its scheduler does not read any more",
          read_remark<Gang, &GangRemarks::queue_unread>},
    Field{"requested", kIntType, kOptional, "K as it is written: minAvailable, minMember or an annotation",
          read<Gang, &Gang::requested>},
    Field{"required_topology", kStringType, kOptional, "node label whose one domain has to hold all its pods",
          read<Gang, &Gang::required_topology>},
    Field{"restarts_evicted", kBoolType, kOptional,
          "Volcano: some policy ends or restarts all pods when one is evicted", read<Gang, &Gang::restarts_evicted>},
    Field{"restarts_whole", kBoolType, kOptional, "Volcano: some policy ends or restarts all pods when one is lost",
          read<Gang, &Gang::restarts_whole>},
    Field{"roles", kRoleList, kAlways, "its pods by template", read_objects<Gang, &Gang::roles, kRoleType>},
    Field{"scheduler", kStringType, kAlways, "who decides: default, volcano, kai, kueue, coscheduling, slurm ...",
          read<Gang, &Gang::scheduler>},
    Field{"scheduler_name", kStringType, kOptional, "schedulerName as written in its pod templates",
          read<Gang, &Gang::scheduler_name>},
    Field{"scheduler_plugins", kStringListType, kOptional,
          "plugins of Volcano's scheduler, where its bundle has one configuration of it", scheduler_plugins},
    Field{"scheduler_reads_claims", kBoolType, kOptional,
          "Volcano's scheduler looks at ResourceClaims, where its bundle has one configuration of it with predicates",
          scheduler_reads_claims},
    Field{"size", kIntType, kAlways, "N: pods (Slurm: nodes) the application needs", read<Gang, &Gang::size>},
    Field{"sliced", kBoolType, kAlways, "a device plugin of the input makes several of its accelerator of one device",
          sliced},
    Field{"sort_policy", kStringType, kOptional, "YuniKorn: how its queue sorts applications",
          read_remark<Gang, &GangRemarks::sort_policy>},
    Field{"startup", kStartupType, kAlways, "in which order its pods are created", read<Gang, &Gang::startup>},
    Field{"stray_membership", kStringType, kOptional,
          "a PodGroup key of the wrong kind: a label for an annotation or the reverse",
          read_remark<Gang, &GangRemarks::stray_membership>},
    Field{"task_groups", kIntType, kAlways, "YuniKorn: task groups that its pods name", task_groups},
    Field{"tightly_coupled", kBoolType, kAlways, "collectives over all members: none is useful alone",
          read<Gang, &Gang::tightly_coupled>},
    Field{"unmet_level", kStringType, kOptional,
          "Kueue: a level of a topology that it asks for, and that no flavor of its queue has",
          read_remark<Gang, &GangRemarks::unmet_level>},
    Field{"with_gpus", kStringType, kAlways, "` with 64 GPUs` where their number is known, for messages", with_gpus},
    Field{"workload", kStringType, kOptional, "the workload it belongs to", read<Gang, &Gang::workload>},
};

constexpr std::array kPodSetFields{
    Field{"apart", kBoolType, kAlways, "instances beyond min_instances are gangs of their own",
          read<PodSet, &PodSet::apart>},
    Field{"gang", kGangObject, kAlways, "the gang it is part of", set_gang},
    Field{"highest_tier", kIntType, kOptional, "tier of the one HyperNode that has to hold an instance",
          read<PodSet, &PodSet::highest_tier>},
    Field{"instances", kIntType, kOptional, "how often it is there in what it stands in",
          read<PodSet, &PodSet::instances>},
    Field{"min_instances", kIntType, kOptional, "instances that are placed together; absent: all",
          read<PodSet, &PodSet::min_instances>},
    Field{"min_pods", kIntType, kOptional, "pods of an instance that are placed together; absent: all",
          read<PodSet, &PodSet::min_pods>},
    Field{"name", kStringType, kAlways, "name of the partitioned task, sub-group or scaling group",
          read<PodSet, &PodSet::name>},
    Field{"required_topology", kStringType, kOptional, "node label whose one domain has to hold an instance",
          read<PodSet, &PodSet::required_topology>},
    Field{"size", kIntType, kAlways, "pods of one instance", read<PodSet, &PodSet::size>},
};

/// Labels of its pod template.
Value role_labels(const void* object, const ReadContext& context) {
  const auto& labels = static_cast<const Role*>(object)->labels;
  const std::span<MapEntry> entries = context.arena->make_array<MapEntry>(labels.size());
  std::size_t i = 0;
  for (const auto& [key, value] : labels)
    entries[i++] = {Value::of(std::string_view(key)), Value::of(std::string_view(value))};
  return Value::of(context.arena->make(MapData{entries}));
}

constexpr std::array kRoleFields{
    Field{"above_placeholder", kStringType, kOptional,
          "YuniKorn: a resource of which a pod requests more than a placeholder of its task group",
          read<Role, &Role::above_placeholder>},
    Field{"best_effort", kBoolType, kAlways, "no container of it requests or limits anything",
          read<Role, &Role::best_effort>},
    Field{"count", kIntType, kAlways, "pods wanted at the same time", read<Role, &Role::count>},
    Field{"cpu", kIntType, kAlways, "thousandths of a CPU that a pod requests, as far as it is written",
          read<Role, &Role::milli_cpus_each>},
    Field{"gang", kGangObject, kAlways, "the gang it is part of", role_gang},
    Field{"gpus_each", kIntType, kAlways, "accelerators a pod asks for", read<Role, &Role::gpus_each>},
    Field{"helper", kBoolType, kAlways, "launcher or submitter: not part of the collective", read<Role, &Role::helper>},
    Field{"labels", kSettingsMap, kAlways, "labels of its pod template", role_labels},
    Field{"memory", kIntType, kAlways, "bytes that a pod requests, as far as it is written",
          read<Role, &Role::memory_each>},
    Field{"min", kIntType, kOptional, "pods of this role that must be placed together", read<Role, &Role::min>},
    Field{"name", kStringType, kAlways, "name of the role", read<Role, &Role::name>},
    Field{"priority_class", kStringType, kOptional, "PriorityClass of its template", read<Role, &Role::priority_class>},
    Field{"scheduler", kStringType, kOptional, "schedulerName of its template", read<Role, &Role::scheduler>},
    Field{"unlimited", kStringType, kOptional, "an accelerator requested without an equal limit",
          read<Role, &Role::unlimited>},
    Field{"untolerated", kStringType, kOptional,
          "YuniKorn: key of a taint that its pods tolerate, and the placeholders of their task group do not",
          read<Role, &Role::untolerated>},
};

SharedText gang_id(const void* object, const ReadContext&) { return gang_of(object).id; }
SharedText role_id(const void* object, const ReadContext& context) {
  return context.model->gangs[static_cast<const Role*>(object)->gang].id;
}

SharedText pod_set_id(const void* object, const ReadContext& context) {
  return context.model->gangs[static_cast<const PodSet*>(object)->gang].id;
}

}  // namespace

const ObjectType kGangType{"gang", "pods (or nodes of a Slurm job) that one application needs together", kGangFields,
                           where_of<Gang>, gang_id};
const ObjectType kPodSetType{"pod_set", "pods of a gang that its scheduler takes as one", kPodSetFields,
                             where_of<PodSet>, pod_set_id};
const ObjectType kRoleType{"role", "pods of one template within a gang", kRoleFields, where_of<Role>, role_id};

}  // namespace muster
