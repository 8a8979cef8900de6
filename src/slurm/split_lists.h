#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster::sbatch {

/// `sbatch-mounts-with-blank`: `--container-mounts=/a:/a, /b:/b` in a script, also in a text that it runs later.
void find_split_lists(FileId file, std::string_view text, std::vector<Finding>& findings);

}  // namespace muster::sbatch
