#pragma once

#include <span>
#include <string>
#include <string_view>

#include "source/located.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// The script that the last command of a batch script is, as it is called: `srun ./inner.sh`; empty: it is none. One in
/// a container is called by its name alone, where `-B "$PWD:/work"` mounts the folder. `commands` are those of the
/// text.
std::string script_at_end(std::string_view text, std::span<const ShellCommand> commands);

/// `tee`, where a script ends with the status of that and not of the program before it.
Located<std::string> status_lost_in_pipe(FileId file, std::string_view text);

}  // namespace muster::sbatch
