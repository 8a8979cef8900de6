#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

Value gone_of(const void* object, const ReadContext&) {
  return Value::of(&static_cast<const RemovedObject*>(object)->gone);
}

constexpr std::array kRemovedObjectFields{
    Field{"api_version", kStringType, kAlways, "its apiVersion", read<RemovedObject, &RemovedObject::api_version>},
    Field{"gone", kVersionType, kAlways, "the first release of Kubernetes that does not serve it", gone_of},
    Field{"id", kStringType, kAlways, "group/version/kind/name", read<RemovedObject, &Object::id>},
    Field{"kind", kStringType, kAlways, "its kind", read<RemovedObject, &Object::kind>},
    Field{"kind_remains", kBoolType, kAlways, "some other API version still has its kind",
          read<RemovedObject, &RemovedObject::kind_remains>},
    Field{"name", kStringType, kAlways, "its name", read<RemovedObject, &Object::name>},
};

}  // namespace

const ObjectType kRemovedObjectType{"removed_object", "an object of an API version that Kubernetes serves no more",
                                    kRemovedObjectFields, where_of<RemovedObject>, own_id<RemovedObject>};

}  // namespace muster
