#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// Modes that a script or a task of Ansible gives to slurm.conf or to the folder that it is in, and that keep out
/// whoever calls sbatch.
void check_file_modes(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
