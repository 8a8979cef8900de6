#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster {

/// `script-status-never-seen`, the first of a script: `if [ $? -ne 0 ]` on the line behind a command, where `set -e`
/// ends the script when that fails, and `[ -z "$X" ]` behind `X=$(grep ...)`. `commands` are those of the text. Not in
/// functions: where one is called in a condition, `set -e` does not hold in it.
void find_unseen_status(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings);

/// `script-status-of-declaration`: `local X=$(...)`, and `$?` behind it. A few of a script.
void find_status_of_declarations(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                                 std::vector<Finding>& findings);

/// Of a `.gitlab-ci.yml`: an item of its own that asks for the status of the one before.
void find_unseen_status_of_items(FileId file, std::string_view text, std::vector<Finding>& findings);

}  // namespace muster
