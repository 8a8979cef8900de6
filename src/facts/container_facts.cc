#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr std::array kContainerFields{
    Field{"accelerator", kStringType, kAlways, "resource name of its accelerators",
          read<Container, &Container::accelerator>},
    Field{"accelerators", kIntType, kAlways, "devices it asks for", read<Container, &Container::accelerators>},
    Field{"collective", kStringType, kOptional, "what in its command starts ranks that talk to each other",
          read<Container, &Container::collective>},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name of its object", read<Container, &Object::id>},
    Field{"kind", kStringType, kAlways, "kind of its object", read<Container, &Object::kind>},
    Field{"name", kStringType, kAlways, "its name", read<Container, &Object::name>},
    Field{"parallel", kIntType, kOptional, "devices that one model is split over: tensor times pipeline parallel size",
          read<Container, &Container::parallel>},
    Field{"processes", kIntType, kOptional, "ranks that are started in it, one a device",
          read<Container, &Container::processes>},
    Field{"several_nodes", kBoolType, kAlways, "its command speaks of other nodes",
          read<Container, &Container::several_nodes>},
    Field{"shared_memory", kBoolType, kAlways, "something is mounted at /dev/shm, or not needed",
          read<Container, &Container::shared_memory>},
};

}  // namespace

const ObjectType kContainerType{"container", "a container with accelerators", kContainerFields, where_of<Container>,
                                own_id<Container>};

}  // namespace muster
