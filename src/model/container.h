#pragma once

#include <cstdint>
#include <string>

#include "model/object.h"

namespace muster {

/// A container with accelerators, of a pod template in whatever kind of object. Its id is that of the object.
struct Container : Object {
  Located<std::string> accelerator;    ///< resource name, such as nvidia.com/gpu
  Located<std::int64_t> accelerators;  ///< devices it asks for
  Located<std::int64_t> processes;     ///< ranks started here, one a device, where a number says so
  Located<std::int64_t> parallel;      ///< devices that one model is split over: tensor times pipeline parallel size
  bool several_nodes = false;          ///< the command speaks of other nodes
  Located<std::string> collective;     ///< what starts ranks that talk to each other; absent where nothing does
  bool shared_memory = false;          ///< something is mounted at /dev/shm, or not needed
};

}  // namespace muster
