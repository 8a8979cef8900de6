#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster {

/// `script-find-exec-without-file`: `find ... -exec` whose program is not told the file that was found.
void find_bare_exec(FileId file, std::string_view text, const ShellCommand& command, std::vector<Finding>& findings);

/// `script-find-name-of-path`: a pattern of -name with `/` in it, which no name matches.
void find_name_of_path(FileId file, const ShellCommand& command, std::vector<Finding>& findings);

/// `script-option-behind-image`: an option of `singularity exec` where the command of the image is to stand.
void find_option_behind_image(FileId file, const ShellCommand& command, std::vector<Finding>& findings);

}  // namespace muster
