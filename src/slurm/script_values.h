#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. What a batch script takes for something that its values are not:
/// `sbatch-node-list-cut`, the list of nodes in brackets for a list of names; `sbatch-tasks-of-nodes-as-number`,
/// `4(x2)` for a number; `sbatch-dollar-escaped`, a variable that nobody puts in; `sbatch-path-variable-unset`, a
/// variable for a search path under set -u; `sbatch-docker-terminal`, a terminal; `sbatch-task-on-one-cpu`, one CPU for
/// all that a task asked for; `sbatch-variable-from-itself`, a variable for one of another name. One finding of each a
/// script. Executed with bash 5.2.
void find_script_values(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
