#pragma once

#include <cstdint>
#include <string_view>

#include "model/slurm.h"

namespace muster::sbatch {

/// Ports at which a script listens come what may: a number, or the default of the program. Absent: it starts none, or
/// takes a port that only the run knows.
struct ScriptPorts {
  Located<std::int64_t> ray_head;  ///< of a Ray cluster
  Located<std::int64_t> server;    ///< of a model server, whose name is the field
};
ScriptPorts script_ports(FileId file, std::string_view text);

}  // namespace muster::sbatch
