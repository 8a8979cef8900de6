#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. What the options of a step leave out: `sbatch-step-export-without-all`, the
/// environment of the script; `sbatch-het-group-missing`, components of a heterogeneous job;
/// `sbatch-open-mpi-without-pmix`, what Open MPI finds its ranks with. One finding of each a script.
void find_step_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     std::vector<Finding>& findings);

}  // namespace muster::sbatch
