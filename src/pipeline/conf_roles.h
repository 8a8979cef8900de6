#pragma once

#include <vector>

#include "input/artifact.h"
#include "pipeline/discover.h"

namespace muster {

/// Files that look like little and that Slurm reads: beside a slurm.conf by their name, or because one includes them.
void settle_conf_roles(std::vector<ParsedFile>& parsed, const Inputs& inputs);

}  // namespace muster
