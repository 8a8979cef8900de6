#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. Who hears the signal of --signal: `sbatch-signal-past-shell`, a trap of the batch
/// shell for one that goes to the steps; `sbatch-signal-to-no-step`, one for steps that the script does not start;
/// `sbatch-trap-behind-step`, a trap that runs only once the program before it has ended. One finding a script.
void find_signal_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                       std::vector<Finding>& findings);

}  // namespace muster::sbatch
