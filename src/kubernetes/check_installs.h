#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// Reports charts of schedulers, operators and drivers that a shell script installs without saying which release
/// (`operator-chart-unpinned`). `text` is the script.
void check_installs(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
