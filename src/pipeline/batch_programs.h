#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// Whether one process of a program of Python's takes all GPUs.
bool spreads_over_gpus(std::string_view program);

/// Whether an array of CPUs may start processes on its nodes by its programs: the text of one, or of its script, speaks
/// of what does that.
bool may_drive_others(std::string_view text, const SbatchJob& job);

/// A step of a batch script beside the program of Python's that it starts, which the input has:
/// `sbatch-device-by-local-rank`, a device that its task does not see; `sbatch-jax-sees-one-device`, devices that its
/// task does not take; `sbatch-signal-without-handler`, a signal for which Lightning does not wait.
void check_step_program(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                        std::vector<Finding>& findings);

}  // namespace muster
