#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `plugstack-include-misses`: a script writes a plugstack.conf that includes another folder than the one beside it
/// that the script puts a plugin's file into.
void find_plugstack_folders(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
