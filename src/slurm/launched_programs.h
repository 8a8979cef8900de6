#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-launcher-given-shell`: torchrun is given a shell or another program where it wants one of Python.
void find_launched_programs(FileId file, std::span<const ShellCommand> commands, std::vector<Finding>& findings);

}  // namespace muster::sbatch
