#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// All that is said of the body of a batch script, whose `commands` are those of the text. What it starts is read
/// already.
void judge_script(FileId file, std::string_view text, std::span<const ShellCommand> commands, SbatchJob& job,
                  const CalledScripts& called, const NamedConfigs& configs, std::vector<Finding>& findings);

}  // namespace muster::sbatch
