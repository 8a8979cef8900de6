#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. Where a batch script ends, or never gets to its end:
/// `sbatch-server-ends-with-script`, a server in the background behind which the script only looks whether it is there;
/// `sbatch-ray-holds-script`, `ray start --block` in the foreground before what should run beside it.
void find_script_ends(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                      std::vector<Finding>& findings);

}  // namespace muster::sbatch
