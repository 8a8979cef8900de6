#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "slurm/batch_shell.h"
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

/// Where the processes of a job are told to meet: `sbatch-rendezvous-at-last-node` and `sbatch-master-addr-last-node`,
/// the last node where rank 0 is on the first; `sbatch-rendezvous-drawn-by-each` and
/// `sbatch-master-port-drawn-by-each`, a number that each task draws for itself. The launches of the job are read.
void find_meeting_places(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
                         std::vector<Finding>& findings);

}  // namespace muster::sbatch
