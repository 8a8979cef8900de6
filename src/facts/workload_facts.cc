#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

// The facts themselves are read by the decision tables; rules see who a workload is.
constexpr std::array kWorkloadFields{
    Field{"name", kStringType, Presence::Always, "its name", read<Workload, &Object::name>},
    Field{"tenant", kStringType, Presence::Optional, "the team it belongs to", read<Workload, &Workload::tenant>},
};

std::string workload_id(const void* object, const ReadContext&) { return static_cast<const Workload*>(object)->id; }

}  // namespace

const ObjectType kWorkloadType{"workload", "a workload of a workloads file", kWorkloadFields, where_of<Workload>, workload_id};

}  // namespace muster
