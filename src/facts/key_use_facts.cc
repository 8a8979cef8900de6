#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr std::array kKeyUseFields{
    Field{"by_operator", kBoolType, kAlways,
          "of ClusterPolicies and releases of the GPU Operator: what it hands on to the pods of its device plugin",
          read<KeyUse, &KeyUse::by_operator>},
    Field{"elsewhere", kStringType, kAlways,
          "the namespace, not its own, of what its folder has of that name, where its bundle has none in its own; "
          "empty: none",
          read<KeyUse, &KeyUse::elsewhere>},
    Field{"generated", kStringType, kAlways,
          "the name with a hash that kustomize gives to what its bundle makes for this one; empty: none",
          read<KeyUse, &KeyUse::generated>},
    Field{"id", kStringType, kAlways, "group/version/kind/name of the object that names it", read<KeyUse, &Object::id>},
    Field{"key", kStringType, kOptional,
          "the key, the number or name of a port, or of a Gateway a listener; absent: the whole object",
          read<KeyUse, &KeyUse::key>},
    Field{"kind", kStringType, kAlways, "kind of the object that names it", read<KeyUse, &Object::kind>},
    Field{"lost", kBoolType, kAlways,
          "its folder has others of that kind, and no file of the input has it or speaks of it",
          read<KeyUse, &KeyUse::lost>},
    Field{"missing", kBoolType, kAlways,
          "the input has an object of that name, all of whose keys are known, and this one is not among them",
          read<KeyUse, &KeyUse::missing>},
    Field{"name", kStringType, kAlways, "name of the object that names it", read<KeyUse, &Object::name>},
    Field{"of", kStringType, kAlways,
          "ConfigMap, Secret, Service, PersistentVolumeClaim, ServiceAccount or EC2NodeClass; of policies and routes a "
          "route or Gateway",
          read<KeyUse, &KeyUse::of>},
    Field{"target", kStringType, kAlways, "its name", read<KeyUse, &KeyUse::target>},
    Field{"there", kStringListType, kAlways,
          "what it has instead, the first few; of a binding for an account that no file has: those beside it that pods "
          "run as, and that nothing binds or that are called nearly so",
          read<KeyUse, &KeyUse::there>},
};

}  // namespace

const ObjectType kKeyUseType{"key_use", "what an object names in another one", kKeyUseFields, where_of<KeyUse>,
                             own_id<KeyUse>};

}  // namespace muster
