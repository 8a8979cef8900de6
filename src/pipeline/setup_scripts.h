#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What scripts of an input do that cannot work with its files: `helm-upgrade-without-install`, of a release that nothing
/// installs; `script-token-nowhere`, words that `sed -i` replaces and no file has; `manifest-variable-left`, manifests
/// with `${NAME}` in an image that are applied as they are. Bounded.
void find_setup_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
