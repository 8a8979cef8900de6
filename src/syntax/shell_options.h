#pragma once

#include <optional>

#include "syntax/shell_reader.h"

namespace muster {

/// Whether `set -e`, `set -euo pipefail`, `set -o errexit` or `set +e` ends the script at failures from here on;
/// nothing: it is another command.
std::optional<bool> errexit_set_by(const ShellCommand& command);

}  // namespace muster
