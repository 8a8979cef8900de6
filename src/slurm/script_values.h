#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster::sbatch {

/// What a batch script takes for something that its values are not: `sbatch-node-list-cut`, the list of nodes in
/// brackets for a list of names; `sbatch-tasks-of-nodes-as-number`, `4(x2)` for a number; `sbatch-dollar-escaped`, a
/// variable that nobody puts in; `sbatch-path-variable-unset`, a variable for a search path under set -u;
/// `sbatch-docker-terminal`, a terminal; `sbatch-task-on-one-cpu`, one CPU for all that a task asked for. One finding
/// of each a script. Executed with bash 5.2.
void find_script_values(FileId file, std::string_view text, const SbatchJob& job, std::vector<Finding>& findings);

/// Ports at which a script listens come what may: a number, or the default of the program. Absent: it starts none, or
/// takes a port that only the run knows.
struct ScriptPorts {
  Located<std::int64_t> ray_head;  ///< of a Ray cluster
  Located<std::int64_t> server;    ///< of a model server, whose name is the field
};
ScriptPorts script_ports(FileId file, std::string_view text);

}  // namespace muster::sbatch
