#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/source_map.h"
#include "syntax/shell_reader.h"

namespace muster {

/// What the words of a shell script come to in other ways than they look: quotes that a variable holds, `${NAME:+...}`
/// of a variable that is never empty, names that the shell keeps for itself, lists within --export.
/// `commands` are those of the text, `functions` the names of its functions.
void find_shell_words(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                      const std::set<std::string_view>& functions, std::vector<Finding>& findings);

}  // namespace muster
