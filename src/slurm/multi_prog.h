#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "slurm/launches.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. `sbatch-multi-prog-ranks`: a file of `srun --multi-prog`, of the input or written
/// by the script, that does not have each task of the step once. One finding a script.
void find_multi_prog(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     const NamedConfigs& configs, std::vector<Finding>& findings);

}  // namespace muster::sbatch
