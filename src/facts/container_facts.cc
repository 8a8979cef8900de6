#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

Value container_gang(const void* object, const ReadContext& context) {
  const Container& container = *static_cast<const Container*>(object);
  if (!container.gang) return Value::absent();
  return Value::object(&kGangType, &context.model->gangs[*container.gang]);
}

Value container_sliced(const void* object, const ReadContext& context) {
  return Value::of(
      context.model->sliced_accelerators.contains(static_cast<const Container*>(object)->accelerator.value));
}

constexpr Type kGangOfContainer = object_of(kGangType);

constexpr std::array kContainerFields{
    Field{"accelerator", kStringType, kAlways, "resource name of its accelerators; empty: none",
          read<Container, &Container::accelerator>},
    Field{"accelerators", kIntType, kAlways, "devices it asks for", read<Container, &Container::accelerators>},
    Field{"always_restarted", kBoolType, kAlways, "its pod's restartPolicy is Always, also where nothing is written",
          read<Container, &Container::always_restarted>},
    Field{"asked_ready", kBoolType, kAlways, "it has a readinessProbe or a startupProbe",
          read<Container, &Container::asked_ready>},
    Field{"collective", kStringType, kOptional, "what in its command starts ranks that talk to each other",
          read<Container, &Container::collective>},
    Field{"ends", kStringType, kOptional, "what of it is over in a moment: `nvidia-smi`, the shell of a base image",
          read_remark<Container, &ContainerRemarks::ends>},
    Field{"fraction", kStringType, kOptional, "an accelerator of which it wants no whole number, as it is written",
          read_remark<Container, &ContainerRemarks::fraction>},
    Field{"gated_model", kStringType, kOptional,
          "a model that its server downloads, which is given only to those who show a token, and it has none",
          read_remark<Container, &ContainerRemarks::gated_model>},
    Field{"grace", kIntType, kAlways, "terminationGracePeriodSeconds of its pod", read<Container, &Container::grace>},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name of its object", read<Container, &Object::id>},
    Field{"idle", kStringType, kOptional, "a command of it that only waits, as `sleep infinity`",
          read_remark<Container, &ContainerRemarks::idle>},
    Field{"idle_after", kStringType, kOptional, "what its script ends with, as `sleep infinity`, after it has worked",
          read_remark<Container, &ContainerRemarks::idle_after>},
    Field{"image", kStringType, kOptional, "its image", read<Container, &Container::image>},
    Field{"kept_by", kStringType, kOptional,
          "another container of its pod, without accelerators, whose command never ends by itself",
          read_remark<Container, &ContainerRemarks::kept_by>},
    Field{"killed_after", kIntType, kOptional, "seconds after which its livenessProbe ends it while it loads",
          read_remark<Container, &ContainerRemarks::killed_after>},
    Field{"kind", kStringType, kAlways, "kind of its object", read<Container, &Object::kind>},
    Field{"locks_memory", kBoolType, kAlways, "it may pin memory: capability IPC_LOCK, or privileged",
          read<Container, &Container::locks_memory>},
    Field{"loopback", kStringType, kOptional, "a server in its command that listens for its own pod alone",
          read_remark<Container, &ContainerRemarks::loopback>},
    Field{"masked", kStringType, kOptional,
          "the program behind whose status that of its own program is lost: tee, echo",
          read_remark<Container, &ContainerRemarks::masked>},
    Field{"memory_share", kStringType, kOptional,
          "its --gpu-memory-utilization",
          read_remark<Container, &ContainerRemarks::memory_share>},
    Field{"name", kStringType, kAlways, "its name", read<Container, &Object::name>},
    Field{"never_reached", kStringType, kOptional, "a program in its script behind an endless wait",
          read_remark<Container, &ContainerRemarks::never_reached>},
    Field{"nodes", kIntType, kOptional, "nodes of the world that it starts: --nnodes",
          read<Container, &Container::nodes>},
    Field{"parallel", kIntType, kOptional, "devices that one model is split over: tensor times pipeline parallel size",
          read<Container, &Container::parallel>},
    Field{"privileged", kBoolType, kAlways, "it runs with every device of its node",
          read<Container, &Container::privileged>},
    Field{"probe", kStringType, kOptional, "a probe of it that wants an answer from the network: readinessProbe ...",
          read_remark<Container, &ContainerRemarks::probe>},
    Field{"probe_port", kIntType, kOptional, "port that its probes ask by HTTP",
          read_remark<Container, &ContainerRemarks::probe_port>},
    Field{"processes", kIntType, kOptional, "ranks that are started in it, one a device",
          read<Container, &Container::processes>},
    Field{"rdma", kStringType, kOptional, "resource name of a network device it asks for",
          read_remark<Container, &ContainerRemarks::rdma>},
    Field{"rdma_off", kStringType, kOptional, "a variable that keeps NCCL from RDMA, as `NCCL_IB_DISABLE=1`",
          read_remark<Container, &ContainerRemarks::rdma_off>},
    Field{"served", kBoolType, kAlways, "a Service of the input selects its pods", read<Container, &Container::served>},
    Field{"server", kStringType, kOptional,
          "the model server it runs: vllm, sglang, tgi, triton, nim, llama.cpp or tei",
          read_remark<Container, &ContainerRemarks::server>},
    Field{"server_port", kIntType, kOptional, "port on which that server listens, where nothing moves it",
          read_remark<Container, &ContainerRemarks::server_port>},
    Field{"service_env", kStringType, kOptional, "a Service whose variables its server takes for its own",
          read_remark<Container, &ContainerRemarks::service_env>},
    Field{"several_nodes", kBoolType, kAlways, "its command speaks of other nodes",
          read<Container, &Container::several_nodes>},
    Field{"shared_memory", kBoolType, kAlways, "something is mounted at /dev/shm, or not needed",
          read<Container, &Container::shared_memory>},
    Field{"sliced", kBoolType, kAlways, "a device plugin of the input makes several of its accelerator of one device",
          container_sliced},
    Field{"start_within", kIntType, kOptional, "seconds within which its startupProbe wants an answer",
          read_remark<Container, &ContainerRemarks::start_within>},
    Field{"stop_delay", kIntType, kOptional, "seconds that its preStop hook sleeps",
          read_remark<Container, &ContainerRemarks::stop_delay>},
    Field{"unlimited", kStringType, kOptional, "an accelerator requested without an equal limit",
          read_remark<Container, &ContainerRemarks::unlimited>},
    Field{"used", kIntType, kOptional, "devices that its model server uses, by its options",
          read_remark<Container, &ContainerRemarks::used>},
    Field{"visible_devices", kStringType, kOptional, "value of its variable NVIDIA_VISIBLE_DEVICES",
          read_remark<Container, &ContainerRemarks::visible_devices>},
    Field{"workload", kGangOfContainer, kOptional, "the pods of its object", container_gang},
};

}  // namespace

const ObjectType kContainerType{"container", "a container with accelerators, or that starts ranks on GPUs",
                                kContainerFields, where_of<Container>, own_id<Container>};

}  // namespace muster
