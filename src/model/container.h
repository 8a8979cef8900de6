#pragma once

#include <cstdint>
#include <string>

#include "model/object.h"

namespace muster {

/// A container with accelerators, or one that starts ranks on GPUs without asking for any, of a pod template in
/// whatever kind of object. Its id is that of the object.
struct Container : Object {
  Located<std::string> accelerator;    ///< resource name, such as nvidia.com/gpu; empty: none
  Located<std::int64_t> accelerators;  ///< devices it asks for
  Located<std::int64_t> processes;     ///< ranks started here, one a device, where a number says so
  Located<std::int64_t> parallel;      ///< devices that one model is split over: tensor times pipeline parallel size
  bool several_nodes = false;          ///< the command speaks of other nodes
  Located<std::string> collective;     ///< what starts ranks that talk to each other; absent where nothing does
  bool shared_memory = false;          ///< something is mounted at /dev/shm, or not needed
  Located<std::string> fraction;       ///< an accelerator of which it wants no whole number, as it is written
  Located<std::string> unlimited;      ///< an accelerator that it requests without an equal limit
  Located<std::string> rdma;           ///< resource name of a network device it asks for
  bool locks_memory = false;           ///< it may pin memory: capability IPC_LOCK, or privileged
  Located<std::int64_t> stop_delay;    ///< seconds its preStop hook sleeps
  Located<std::int64_t> grace;         ///< terminationGracePeriodSeconds of its pod
};

}  // namespace muster
