#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kQueueObject = object_of(kQueueType);

template <class T>
Value queue_of(const void* object, const ReadContext& context) {
  return Value::object(&kQueueType, &context.model->queues[static_cast<const T*>(object)->queue]);
}
template <class T>
SharedText queue_id_of(const void* object, const ReadContext& context) {
  return context.model->queues[static_cast<const T*>(object)->queue].id;
}
Span quota_where(const void* object) {
  const auto& quota = *static_cast<const Quota*>(object);
  for (const Located<Quantity>* value : {&quota.limit, &quota.deserved, &quota.guarantee, &quota.borrowing}) {
    if (value->state != State::Absent) return value->where;
  }
  return quota.limit.where;
}

constexpr std::array kQueueFields{
    Field{"children", kIntType, kAlways, "queues of the input right below it", read<Queue, &Queue::children>},
    Field{"cluster_queue", kStringType, kOptional, "the ClusterQueue a LocalQueue leads to",
          read<Queue, &Queue::cluster_queue>},
    Field{"cluster_queue_found", kBoolType, kOptional, "that ClusterQueue is in the input",
          read<Queue, &Queue::cluster_queue_found>},
    Field{"cohort", kStringType, kOptional, "the Kueue cohort it borrows from", read<Queue, &Queue::cohort>},
    Field{"counts_claims", kBoolType, kOptional,
          "Volcano: the one configuration of the scheduler has claims of DeviceClasses counted",
          read<Queue, &Queue::counts_claims>},
    Field{"depth", kIntType, kAlways, "levels from the root of its tree, as far as the input has them",
          read<Queue, &Queue::depth>},
    Field{"has_namespace_selector", kBoolType, kOptional, "a ClusterQueue's namespaceSelector is written",
          read<Queue, &Queue::has_namespace_selector>},
    Field{"id", kStringType, kAlways, "group/version/kind/name", read<Queue, &Object::id>},
    Field{"local", kBoolType, kAlways, "a Kueue LocalQueue", read<Queue, &Queue::local>},
    Field{"name", kStringType, kAlways, "its name", read<Queue, &Object::name>},
    Field{"only_lends", kBoolType, kAlways, "a ClusterQueue that others of its cohort borrow from, without LocalQueues",
          read<Queue, &Queue::only_lends>},
    Field{"parent", kStringType, kOptional, "the queue above it", read<Queue, &Queue::parent>},
    Field{"parent_found", kBoolType, kOptional, "that queue is in the input", read<Queue, &Queue::parent_found>},
    Field{"refused_space", kStringType, kOptional,
          "a LocalQueue's: the namespaces that its ClusterQueue selects by name, of which its own is none",
          read<Queue, &Queue::refused_space>},
    Field{"sort_policy", kStringType, kOptional, "YuniKorn: how it sorts applications",
          read<Queue, &Queue::sort_policy>},
    Field{"stop_policy", kStringType, kOptional, "Kueue: Hold and HoldAndDrain stop it",
          read<Queue, &Queue::stop_policy>},
    Field{"system", kSystemType, kAlways, "whose queue it is: volcano, kueue, kai, yunikorn",
          read<Queue, &Queue::system>},
};

constexpr std::array kQuotaFields{
    Field{"borrowing", kQuantityType, kOptional, "Kueue borrowingLimit", read<Quota, &Quota::borrowing>},
    Field{"deserved", kQuantityType, kOptional, "Volcano deserved, KAI quota", read<Quota, &Quota::deserved>},
    Field{"flavor", kStringType, kAlways, "Kueue ResourceFlavor; empty elsewhere", read<Quota, &Quota::flavor>},
    Field{"guarantee", kQuantityType, kOptional, "Volcano guarantee", read<Quota, &Quota::guarantee>},
    Field{"limit", kQuantityType, kOptional, "Volcano capability, Kueue nominalQuota, KAI limit, YuniKorn max",
          read<Quota, &Quota::limit>},
    Field{"queue", kQueueObject, kAlways, "the queue it belongs to", queue_of<Quota>},
    Field{"resource", kStringType, kAlways, "resource name", read<Quota, &Quota::resource>},
};

constexpr std::array kQueueFlavorFields{
    Field{"covered", kStringListType, kAlways, "coveredResources of its group",
          read<QueueFlavor, &QueueFlavor::covered>},
    Field{"found", kBoolType, kOptional, "that ResourceFlavor is in the input", read<QueueFlavor, &QueueFlavor::found>},
    Field{"name", kStringType, kAlways, "name of the ResourceFlavor", read<QueueFlavor, &QueueFlavor::name>},
    Field{"queue", kQueueObject, kAlways, "the ClusterQueue", queue_of<QueueFlavor>},
    Field{"resources", kStringListType, kAlways, "resources it lists, in its order",
          read<QueueFlavor, &QueueFlavor::resources>},
};

constexpr std::array kPodGroupFields{
    Field{"complete", kBoolType, kAlways, "its bundle is complete: no other pods can join",
          read<PodGroup, &PodGroup::complete>},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name", read<PodGroup, &Object::id>},
    Field{"members", kIntType, kOptional, "pods of the input that join it", read<PodGroup, &PodGroup::members>},
    Field{"min_member", kIntType, kOptional, "pods to be placed together: minMember or minCount",
          read<PodGroup, &PodGroup::min_member>},
    Field{"name", kStringType, kAlways, "its name", read<PodGroup, &Object::name>},
    Field{"queue", kStringType, kOptional, "its queue", read<PodGroup, &PodGroup::queue>},
    Field{"queue_found", kBoolType, kOptional, "that queue is in the input", read<PodGroup, &PodGroup::queue_found>},
    Field{"system", kSystemType, kAlways, "whose PodGroup it is", read<PodGroup, &PodGroup::system>},
};

}  // namespace

const ObjectType kQueueType{"queue", "Volcano Queue, KAI Queue, Kueue ClusterQueue or LocalQueue", kQueueFields,
                            where_of<Queue>, own_id<Queue>};
const ObjectType kQuotaType{"quota", "what a queue allows of one resource", kQuotaFields, quota_where,
                            queue_id_of<Quota>};
const ObjectType kQueueFlavorType{"queue_flavor", "a flavor of a ClusterQueue", kQueueFlavorFields,
                                  where_of<QueueFlavor>, queue_id_of<QueueFlavor>};
const ObjectType kPodGroupType{"pod_group", "one of the five kinds called PodGroup", kPodGroupFields,
                               where_of<PodGroup>, own_id<PodGroup>};

}  // namespace muster
