#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `manifest-empty`: a file without a letter, or with a comment alone, beside manifests, where a manifest was meant.
/// Not in charts, whose values may be empty, and not where its name or the comment says that it holds none.
void find_empty_files(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
