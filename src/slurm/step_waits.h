#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. `sbatch-step-waits-for-step`: a step that gets nothing until one in the background
/// ends, which has all CPUs of its nodes; one finding a script. Where it is the memory, the step in the background says
/// so in `holds_memory_of`.
void find_step_waits(FileId file, std::string_view text, std::span<const ShellCommand> commands, SbatchJob& job,
                     std::vector<Finding>& findings);

}  // namespace muster::sbatch
