#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `sbatch-default-after-use`: `: "${IMAGE:=$APPS/x.sqsh}"`, and below it `: "${APPS:=/apps}"`. `commands` are those of
/// the text.
void find_late_defaults(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings);

}  // namespace muster::sbatch
