#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/maybe_index.h"
#include "model/object.h"
#include "source/rare.h"

namespace muster {

/// What few containers have.
struct ContainerRemarks {
  Rare<std::string> fraction;         ///< an accelerator of which it wants no whole number, as it is written
  Rare<std::string> unlimited;        ///< an accelerator that it requests without an equal limit
  Rare<std::string> rdma;             ///< resource name of a network device it asks for
  Rare<std::int64_t> stop_delay;      ///< seconds its preStop hook sleeps
  Rare<std::string> visible_devices;  ///< value of NVIDIA_VISIBLE_DEVICES
  Rare<std::string> rdma_off;         ///< a variable that keeps NCCL from RDMA, as `NCCL_IB_DISABLE=1`
  Rare<std::string> idle;             ///< a command that only waits: `sleep infinity`
  Rare<std::string> idle_after;       ///< the same, behind a script that works first
  Rare<std::string> kept_by;          ///< another container of its pod that never ends; see endless_sidecar
  Rare<std::string> never_reached;    ///< a program in its script behind an endless wait
  Rare<std::string> ends;             ///< what of it is over in a moment: `nvidia-smi`, the shell of a base image
  Rare<std::string> gated_model;      ///< a model that its server loads, is given only to some, and without a token
  Rare<std::string> loopback;         ///< a server in its command that no other pod reaches
  Rare<std::string> memory_share;     ///< value of --gpu-memory-utilization
  Rare<std::string> masked;           ///< `tee` or `echo`, behind whose status that of the program is lost
  Rare<std::int64_t> used;            ///< devices that its model server uses; absent: nobody says
  Rare<std::string> probe;            ///< a probe of it that wants an answer from the network: readinessProbe ...
  Rare<std::int64_t> probe_port;      ///< where the first of them asks
  Rare<std::string> server;           ///< the model server it runs: vllm, sglang, tgi, triton, nim, ...
  Rare<std::int64_t> server_port;     ///< where that listens; absent: not its default
  Rare<std::int64_t> start_within;    ///< seconds within which its startupProbe wants an answer
  Rare<std::int64_t> killed_after;    ///< seconds after which a livenessProbe ends it while it loads; absent: never
  Rare<std::string> service_env;      ///< a Service whose variables its server takes for its own; see relate_manifests
};

/// A container with accelerators, or one that starts ranks on GPUs without asking for any, of a pod template in
/// whatever kind of object. Its id is that of the object.
struct Container : Object {
  Located<std::string> accelerator;    ///< resource name, such as nvidia.com/gpu; empty: none
  Located<std::int64_t> accelerators;  ///< devices it asks for
  Rare<std::int64_t> processes;        ///< ranks started here, one a device, where a number says so
  Rare<std::int64_t> parallel;         ///< devices that one model is split over: tensor times pipeline parallel size
  Located<std::string> collective;     ///< what starts ranks that talk to each other; absent where nothing does
  Located<std::int64_t> grace;         ///< terminationGracePeriodSeconds of its pod
  Located<std::string> image;
  Rare<std::int64_t> nodes;  ///< nodes of the world that it starts: --nnodes
  MaybeIndex gang;           ///< in Model::gangs: the pods of its object
  RareParts<ContainerRemarks> remarks;
  bool several_nodes = false;  ///< the command speaks of other nodes
  bool shared_memory = false;  ///< something is mounted at /dev/shm, or not needed
  bool locks_memory = false;   ///< it may pin memory: capability IPC_LOCK, or privileged
  bool privileged = false;
  bool always_restarted = true;  ///< restartPolicy of its pod: Always, also where nothing is written
  bool asked_ready = false;      ///< it has a readinessProbe or a startupProbe
  bool served = false;           ///< a Service of the input selects its pods
  bool service_links = true;     ///< its pod has variables of the Services of its namespace
};

}  // namespace muster
