#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/source_map.h"
#include "syntax/shell_reader.h"

namespace muster {

/// `script-option-not-taken`: a `case` behind `getopts` has a letter that its list of options lacks.
void find_option_letters(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         std::vector<Finding>& findings);

}  // namespace muster
