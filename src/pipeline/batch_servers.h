#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "slurm/batch_shell.h"

namespace muster {

/// Model servers that a batch script starts, vLLM and SGLang: `sbatch-server-option-unknown`, an option that no release
/// has; `sbatch-server-below-gpus` and `sbatch-server-above-gpus`, a model on fewer or more GPUs than a node of the job
/// gives; `sbatch-server-on-loopback`, one that nothing beside it can reach. `text`: the script that `body` was made
/// of. Nothing of GPUs where more options may come from somewhere else. Returns whether it starts one.
bool check_batch_servers(const SbatchJob& job, const sbatch::BatchBody& body, std::string_view text,
                         std::vector<Finding>& findings);

/// `sbatch-server-above-gpus` of the one server that scripts start which the batch script calls. `body`: with them.
void check_called_servers(const SbatchJob& job, const sbatch::BatchBody& body, std::vector<Finding>& findings);

}  // namespace muster
