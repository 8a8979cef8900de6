#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// Reports layouts of nvidia-mig-parted that no GPU can have (`mig-layout-impossible`), wherever they stand in a file:
/// on their own, in a ConfigMap, in values of a chart. `text` is the file.
void check_mig_layouts(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
