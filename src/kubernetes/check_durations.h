#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// `duration-unit-unknown`: times in days, weeks or years in objects of Flux, Karpenter and Velero, which know hours at
/// most.
void check_durations(const Node& object, std::string_view api_version, std::vector<Finding>& findings);

}  // namespace muster
