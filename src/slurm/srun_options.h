#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slurm/batch_shell.h"

namespace muster::sbatch {

/// An option that srun refuses.
struct OddOption {
  std::size_t word = 0;  ///< in the words that were read
  std::string text;
};

/// Options of a command that starts a step, by long name; where its program begins.
struct StepOptions {
  std::map<std::string, ShellValue> values;
  std::size_t program = 0;
  bool complete = true;                 ///< nothing of them comes from somewhere else
  std::optional<OddOption> unknown;     ///< the first long one that srun does not have, without dashes
  std::optional<OddOption> odd_number;  ///< the first letter whose number is none: `-np`, as written
};

/// Of `srun` at `words[at - 1]`.
StepOptions read_step_options(const std::vector<ShellValue>& words, std::size_t at);

/// `srun train --rank $SLURM_PROCID`, whose program begins at `words[from]`: SLURM_PROCID or SLURM_NODEID, where the
/// batch shell has put its own in; absent where it has not. What a launcher takes for the rank of its node is left to
/// it.
Located<std::string> rank_of_batch_shell(FileId file, const std::vector<ShellValue>& words, std::size_t from);

}  // namespace muster::sbatch
