#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster {

/// `script-find-exec-without-file`: `find ... -exec` whose program is not told the file that was found.
void find_bare_exec(FileId file, std::string_view text, const ShellCommand& command, std::vector<Finding>& findings);

}  // namespace muster
