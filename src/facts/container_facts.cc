#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr std::array kContainerFields{
    Field{"accelerator", kStringType, kAlways, "resource name of its accelerators; empty: none",
          read<Container, &Container::accelerator>},
    Field{"accelerators", kIntType, kAlways, "devices it asks for", read<Container, &Container::accelerators>},
    Field{"collective", kStringType, kOptional, "what in its command starts ranks that talk to each other",
          read<Container, &Container::collective>},
    Field{"fraction", kStringType, kOptional, "an accelerator of which it wants no whole number, as it is written",
          read<Container, &Container::fraction>},
    Field{"grace", kIntType, kAlways, "terminationGracePeriodSeconds of its pod", read<Container, &Container::grace>},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name of its object", read<Container, &Object::id>},
    Field{"kind", kStringType, kAlways, "kind of its object", read<Container, &Object::kind>},
    Field{"locks_memory", kBoolType, kAlways, "it may pin memory: capability IPC_LOCK, or privileged",
          read<Container, &Container::locks_memory>},
    Field{"name", kStringType, kAlways, "its name", read<Container, &Object::name>},
    Field{"parallel", kIntType, kOptional, "devices that one model is split over: tensor times pipeline parallel size",
          read<Container, &Container::parallel>},
    Field{"processes", kIntType, kOptional, "ranks that are started in it, one a device",
          read<Container, &Container::processes>},
    Field{"rdma", kStringType, kOptional, "resource name of a network device it asks for",
          read<Container, &Container::rdma>},
    Field{"several_nodes", kBoolType, kAlways, "its command speaks of other nodes",
          read<Container, &Container::several_nodes>},
    Field{"shared_memory", kBoolType, kAlways, "something is mounted at /dev/shm, or not needed",
          read<Container, &Container::shared_memory>},
    Field{"stop_delay", kIntType, kOptional, "seconds that its preStop hook sleeps",
          read<Container, &Container::stop_delay>},
    Field{"unlimited", kStringType, kOptional, "an accelerator requested without an equal limit",
          read<Container, &Container::unlimited>},
};

}  // namespace

const ObjectType kContainerType{"container", "a container with accelerators, or that starts ranks on GPUs",
                                kContainerFields, where_of<Container>, own_id<Container>};

}  // namespace muster
