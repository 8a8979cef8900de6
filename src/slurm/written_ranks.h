#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-rank-in-here-document`: `cat > run.sh <<EOF` with $SLURM_PROCID in it, which the batch shell puts in, and a
/// step of several tasks that runs the file; `sbatch-rank-printed-by-batch-shell` where it is only printed. `commands`
/// are those of the text; the steps of the job are read.
void find_written_ranks(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
