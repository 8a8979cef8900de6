#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-results-removed`: a folder that a batch script removes and then copies from. `commands` are those of the
/// text.
void find_removed_results(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                          std::vector<Finding>& findings);

}  // namespace muster::sbatch
