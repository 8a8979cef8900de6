#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// `slurm-munge-folder-closed`: a script closes the folder of munged's socket to others and then starts munged.
void check_munge_folder(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
