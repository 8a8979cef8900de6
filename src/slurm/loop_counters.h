#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-counter-without-begin`: `$N` in a loop that counts it up behind, `N=$((N + 1))`, where nothing sets it
/// before. One finding a script.
void find_loop_counters(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
