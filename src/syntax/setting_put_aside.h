#pragma once

#include <string>
#include <string_view>

namespace muster {

/// The variable of a comment that is a setting and nothing else: `# NAME="value"`; empty for others. Not of one that
/// tells readers what to set, `# NAME=FOLDER`, nor of a command line, `# NAME=1 sbatch job.sh`.
std::string setting_put_aside(std::string_view line);

}  // namespace muster
