#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// Taints that a text sets with `kubectl taint` and that tolerations in the same text do not match, as guides and
/// scripts have them side by side.
void check_taints(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
