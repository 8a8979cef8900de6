#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-failures-only-counted`: a batch script that counts what failed, and ends with 0 all the same. `commands` are
/// those of the text.
void find_counted_failures(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                           std::vector<Finding>& findings);

}  // namespace muster::sbatch
