#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {

/// What Megatron-LM is told by a batch script and refuses: a world that is no multiple of the ranks of its model
/// (`sbatch-model-parallel-uneven`), and --sequence-parallel without CUDA_DEVICE_MAX_CONNECTIONS
/// (`sbatch-sequence-parallel-connections`). The launches of the script are read already.
void find_model_ranks(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
                      std::vector<Finding>& findings);

}  // namespace muster::sbatch
