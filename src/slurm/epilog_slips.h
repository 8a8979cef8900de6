#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// What a Prolog or Epilog does with processes that a node with other jobs, or slurmd, does not bear:
/// `slurm-epilog-kills-other-jobs` where jobs share nodes, and `slurm-script-ends-at-pkill`. Each once a script.
void find_epilog_slips(FileId file, std::string_view text, bool shares_nodes, std::vector<Finding>& findings);

}  // namespace muster
