#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster {

/// `script-increment-ends`: `((N++))` of a counter that begins at 0, where `set -e` ends a script at what is false.
void find_ending_increments(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                            std::vector<Finding>& findings);

}  // namespace muster
