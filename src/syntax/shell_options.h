#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "syntax/shell_reader.h"

namespace muster {

/// What the words of `set` do to an option of a letter and a name, `u` and `nounset`: `set -euo pipefail`, `set +o
/// nounset`. Nothing: they leave it as it is, or the first word is another command.
std::optional<bool> option_set_in(std::span<const std::string_view> words, char letter, std::string_view name);
std::optional<bool> option_set_by(const ShellCommand& command, char letter, std::string_view name);

/// Whether `set -e`, `set -euo pipefail`, `set -o errexit` or `set +e` ends the script at failures from here on;
/// nothing: it is another command.
std::optional<bool> errexit_set_by(const ShellCommand& command);

/// The first command of a script that sets it for all that follows, come what may; nullptr: none does.
const ShellCommand* errexit_in(std::span<const ShellCommand> commands);

/// Whether some command, or some place of the text that is read as one later (`bash -c "set +e; make"`), takes it back.
bool errexit_taken_back(std::string_view text, std::span<const ShellCommand> commands);

}  // namespace muster
