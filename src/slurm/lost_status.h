#pragma once

#include <span>
#include <string>
#include <string_view>

#include "slurm/batch_shell.h"
#include "source/located.h"

namespace muster::sbatch {

/// The program whose status a script ends with although it says nothing of what the script is for: a message behind
/// `runs`, `tee` at the end of a pipeline, a `wait` for all. Absent: the status is that of a program, or something of
/// the script looks at it. `runs`: the commands whose status counts, in their order.
struct ScriptRun {
  Span where;
  bool branch = false;
  bool background = false;
};
Located<std::string> lost_status(FileId file, std::string_view text, const BatchBody& body,
                                 std::span<const ScriptRun> runs);

}  // namespace muster::sbatch
