#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// What a Prolog or Epilog takes for granted that slurmd does not give it: `slurm-prolog-process-ended`, a process that
/// is to outlast the script, and `slurm-prolog-variable-missing`, a variable of jobs. Each once a script.
void find_prolog_slips(FileId file, std::string_view text, std::vector<Finding>& findings);

}  // namespace muster
