#pragma once

#include <span>
#include <string_view>

#include "model/model.h"
#include "syntax/shell_reader.h"

namespace muster {

/// Adds to `model.submit_calls` those of a script whose whole message is kept, `JOB=$(sbatch job.sh)`, and taken for
/// the number of the job in a dependency. `commands` are those of the text.
void find_submit_chains(FileId file, std::string_view path, std::string_view text,
                        std::span<const ShellCommand> commands, Model& model);

}  // namespace muster
