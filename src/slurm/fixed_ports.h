#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of a script. `sbatch-port-above-range`: a number above 65535 that a variable or an option has
/// for a port.
void find_fixed_ports(FileId file, std::span<const ShellCommand> commands, std::vector<Finding>& findings);

}  // namespace muster::sbatch
