#pragma once

#include <optional>
#include <span>

#include "syntax/shell_reader.h"

namespace muster {

/// Whether `set -e`, `set -euo pipefail`, `set -o errexit` or `set +e` ends the script at failures from here on;
/// nothing: it is another command.
std::optional<bool> errexit_set_by(const ShellCommand& command);

/// The first command of a script that sets it for all that follows, come what may; nullptr: none does.
const ShellCommand* errexit_in(std::span<const ShellCommand> commands);

}  // namespace muster
