#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `conflict-marks-left`: the three marks that git leaves of a merge that nobody finished, in a file that is no prose.
/// `yaml-file-broken`: a file called .yaml or .yml that no parser takes, whatever it is for. Not where it has, or waits
/// for, something to fill in, where its path speaks of tests, and where yaml-syntax has spoken. `ours`: by file, whether
/// a reader took it for one of its own, and so said what is broken.
void find_broken_files(const Inputs& inputs, const std::vector<bool>& ours, std::vector<Finding>& findings);

}  // namespace muster
