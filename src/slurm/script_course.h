#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. What a batch script does that its job or its neighbours feel:
/// `sbatch-installs-in-job`, packages that are installed while GPUs wait; `sbatch-host-list-shared`, a list of hosts in
/// a file that every job of the folder writes; `sbatch-trap-never-reached`, a trap for a signal that nobody asks Slurm
/// to send; `sbatch-dollar-alone`, a `$` without a name; `sbatch-array-all-alike`, an array whose elements do not ask
/// which they are; `sbatch-goes-on-after-training`, an evaluation of what a training may not have made, and
/// `sbatch-trains-after-failure`, a training with what nobody may have prepared;
/// `sbatch-export-in-csh`; `sbatch-background-without-wait`, a job that ends before its program; `sbatch-container-without-gpus`, an image that
/// sees no GPU; `sbatch-image-registry`, the registry of an image where enroot does not look for it, and
/// `sbatch-image-file-as-name`, a file that pyxis takes for the name of one;
/// `sbatch-step-waits-for-step`, a step behind one that has all CPUs; `sbatch-port-above-range`, a port made of the
/// number of the job.
void find_script_course(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
