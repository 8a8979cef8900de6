#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `script-arguments-split`: a script hands on what it is given without quotes, and a guide of the input gives it a text
/// with blanks.
void find_split_arguments(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
