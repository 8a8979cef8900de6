#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Containers whose own files are read-only, and whose command writes where no volume is mounted
/// (`container-writes-read-only`).
void check_read_only(const Node& pod, std::vector<Finding>& findings);

}  // namespace muster
