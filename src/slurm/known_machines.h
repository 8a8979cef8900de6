#pragma once

#include <string_view>

#include "model/slurm.h"

namespace muster::sbatch {

/// Whether the script is for a machine that many write for and whose partition gives whole nodes, all CPUs and GPUs of
/// them: LUMI's standard-g, Frontier.
bool is_for_whole_nodes(const SbatchJob& job, std::string_view text);

}  // namespace muster::sbatch
