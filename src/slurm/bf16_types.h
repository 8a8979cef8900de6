#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-bf16-on-older-gpu`: the job asks for a type of GPU without bfloat16, and a program is told to take that.
void find_bf16_on_older_gpus(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                             const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
