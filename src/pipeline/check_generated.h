#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "generate/generate.h"
#include "pipeline/check.h"

namespace muster {

/// What muster's own check finds in generated files, read beside the fleet and workloads files they come from, as
/// `FILE:LINE RULE: message`. `workspace` is the one they were made in; its releases count.
Result<std::vector<std::string>> check_generated(const std::vector<GeneratedFile>& files, const Workspace& workspace);

}  // namespace muster
