#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// Ports at which a script listens come what may: a number, or the default of the program. Absent: it starts none, or
/// takes a port that only the run knows.
struct ScriptPorts {
  Located<std::int64_t> ray_head;  ///< of a Ray cluster
  Located<std::int64_t> server;    ///< of a model server, whose name is the field
};
/// `commands` are those of the text.
ScriptPorts script_ports(FileId file, std::string_view text, std::span<const ShellCommand> commands);

}  // namespace muster::sbatch
