#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. What a batch script asks of what it started: `sbatch-wait-without-end`, a loop
/// that asks a server in the background until it answers, which one that died never does; `sbatch-status-of-message`,
/// `$?` behind a message, whose status it is.
void find_script_waits(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                       std::vector<Finding>& findings);

}  // namespace muster::sbatch
