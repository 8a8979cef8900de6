#include "facts/fact_fields.h"
#include "facts/types.h"

namespace muster {
namespace {

const std::array kOwnFields{
    Field{"name", kStringType, Presence::Always, "its name", read<Workload, &Object::name>},
    Field{"tenant", kStringType, Presence::Optional, "the team it belongs to", read<Workload, &Workload::tenant>},
};
const std::vector<Field> kFields =
    with_fact_fields<Workload, &Workload::facts, workload_facts, Presence::Always>(kOwnFields);

SharedText workload_id(const void* object, const ReadContext&) { return static_cast<const Workload*>(object)->id; }

}  // namespace

const ObjectType kWorkloadType{"workload", "a workload of a workloads file", kFields, where_of<Workload>, workload_id};

}  // namespace muster
