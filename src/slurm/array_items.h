#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. `sbatch-array-beyond-items`: tasks of a job array that take an item of a list
/// which is shorter. One finding a script.
void find_array_items(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                      std::vector<Finding>& findings);

}  // namespace muster::sbatch
