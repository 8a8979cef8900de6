#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `script-mount-source-missing`: a file that `docker run -v` of a shell script takes from a folder of the input, which
/// has no such file and in which nothing makes one.
void find_docker_mounts(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
