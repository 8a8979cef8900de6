#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `plugstack-include-misses`: a script writes a plugstack.conf that includes another folder than the one beside it
/// that the script puts a plugin's file into. `pyxis-not-loaded`: pyxis is built beside the files of a site, and
/// nothing speaks of a plugstack.conf.
void find_plugstack_folders(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
