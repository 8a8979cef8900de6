#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `guide-file-missing`: commands of guides (code blocks of Markdown), scripts, and recipes of make and just that hand
/// a file to kubectl or sbatch which no file of the input is, while others of its kind stand where it would; scripts
/// and programs that guides run, and folders that they change to. Nothing of what a line of the input makes, fetches
/// or only speaks of, nor of what git leaves out.
void find_guide_files(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
