#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-variable-not-exported`: a variable that only libraries of the processes read is set in the batch shell and
/// stays there. `commands` are those of the text.
void find_unexported(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     std::vector<Finding>& findings);

}  // namespace muster::sbatch
