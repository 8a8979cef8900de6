#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

template <std::optional<Version> RemovedObject::*release>
Value release_of(const void* object, const ReadContext&) {
  const std::optional<Version>& found = static_cast<const RemovedObject*>(object)->*release;
  return found ? Value::of(&*found) : Value::absent();
}

constexpr std::array kRemovedObjectFields{
    Field{"api_version", kStringType, kAlways, "its apiVersion", read<RemovedObject, &RemovedObject::api_version>},
    Field{"gone", kVersionType, kOptional, "the first release of Kubernetes that does not serve it",
          release_of<&RemovedObject::gone>},
    Field{"id", kStringType, kAlways, "group/version/kind/name", read<RemovedObject, &Object::id>},
    Field{"kind", kStringType, kAlways, "its kind", read<RemovedObject, &Object::kind>},
    Field{"kind_remains", kBoolType, kAlways, "some other API version still has its kind",
          read<RemovedObject, &RemovedObject::kind_remains>},
    Field{"name", kStringType, kAlways, "its name", read<RemovedObject, &Object::name>},
    Field{"since", kVersionType, kOptional,
          "the first release of Kubernetes that serves it; of resource.k8s.io and scheduling.k8s.io",
          release_of<&RemovedObject::since>},
};

}  // namespace

const ObjectType kRemovedObjectType{"removed_object",
                                    "an object of an API version that not every release of Kubernetes serves",
                                    kRemovedObjectFields, where_of<RemovedObject>, own_id<RemovedObject>};

}  // namespace muster
