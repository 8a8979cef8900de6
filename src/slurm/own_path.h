#pragma once

#include <string>
#include <string_view>

#include "slurm/batch_shell.h"
#include "source/located.h"

namespace muster::sbatch {

/// Where a batch script takes `dirname $0` and its like for its own folder: sbatch runs a copy from slurmd's spool
/// folder. Absent where the script knows better, or tries another folder after it.
Located<std::string> own_path(const BatchBody& body, std::string_view text);

}  // namespace muster::sbatch
