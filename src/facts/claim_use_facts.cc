#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

Value read_claim_gang(const void* object, const ReadContext& context) {
  const ClaimUse& use = *static_cast<const ClaimUse*>(object);
  return use.gang ? Value::object(&kGangType, &context.model->gangs[*use.gang]) : Value::absent();
}

constexpr Type kClaimGangType = object_of(kGangType);

constexpr std::array kClaimUseFields{
    Field{"all", kBoolType, kAlways, "a request behind it takes all devices that fit, `allocationMode: All`",
          read<ClaimUse, &ClaimUse::all>},
    Field{"classes", kStringListType, kAlways, "DeviceClasses of the requests behind it, where the input has them",
          read<ClaimUse, &ClaimUse::classes>},
    Field{"entry", kStringType, kAlways, "its name among the claims of the pods", read<ClaimUse, &ClaimUse::entry>},
    Field{"found", kBoolType, kAlways, "the input has the claim or template", read<ClaimUse, &ClaimUse::found>},
    Field{"id", kStringType, kAlways, "group/version/kind/name of the object with the pods",
          read<ClaimUse, &Object::id>},
    Field{"kind", kStringType, kAlways, "kind of the object with the pods", read<ClaimUse, &Object::kind>},
    Field{"labels_known", kBoolType, kAlways, "the labels of the claim are in the input, without a placeholder",
          read<ClaimUse, &ClaimUse::labels_known>},
    Field{"lost", kBoolType, kAlways,
          "its folder has others of that kind, and no file of the input has it or speaks of it",
          read<ClaimUse, &ClaimUse::lost>},
    Field{"name", kStringType, kAlways, "name of the object with the pods", read<ClaimUse, &Object::name>},
    Field{"no_request", kStringType, kOptional,
          "a request that a container asks for, and that the claim or template of the input does not have",
          read<ClaimUse, &ClaimUse::no_request>},
    Field{"nodes", kIntType, kOptional, "numNodes of the ComputeDomain whose channel it is",
          read<ClaimUse, &ClaimUse::nodes>},
    Field{"of", kStringType, kAlways, "ResourceClaim or ResourceClaimTemplate", read<ClaimUse, &ClaimUse::of>},
    Field{"other_space", kStringType, kAlways,
          "the namespace of the only object of that name, where it is not that of the pods; else empty",
          read<ClaimUse, &ClaimUse::other_space>},
    Field{"plain_gpus", kStringType, kOptional, "an extended resource for GPUs that a container asks for beside it",
          read<ClaimUse, &ClaimUse::plain_gpus>},
    Field{"preempts", kStringType, kOptional,
          "the PriorityClass by which the pods evict others, where their bundle has it and a cluster-autoscaler",
          read<ClaimUse, &ClaimUse::preempts>},
    Field{"queue_label", kStringType, kOptional, "label `kai.scheduler/queue` of the claim or template",
          read<ClaimUse, &ClaimUse::queue_label>},
    Field{"requests", kStringListType, kAlways, "names of the requests behind it, where the input has them",
          read<ClaimUse, &ClaimUse::requests>},
    Field{"space", kStringType, kAlways, "namespace of the pods; empty where it is not written",
          read<ClaimUse, &Object::space>},
    Field{"target", kStringType, kAlways, "name of the claim or template", read<ClaimUse, &ClaimUse::target>},
    Field{"unfit", kStringType, kOptional,
          "why none of the nodes that the pods select has the devices, by the ResourceSlices of the input",
          read<ClaimUse, &ClaimUse::unfit>},
    Field{"unmapped", kStringType, kOptional,
          "a DeviceClass behind it that the one configuration of Kueue in the bundle does not map to a resource",
          read<ClaimUse, &ClaimUse::unmapped>},
    Field{"workload", kClaimGangType, kOptional, "the gang of the pods", read_claim_gang},
};

}  // namespace

const ObjectType kClaimUseType{"claim_use", "a ResourceClaim that pods list", kClaimUseFields, where_of<ClaimUse>,
                               own_id<ClaimUse>};

}  // namespace muster
