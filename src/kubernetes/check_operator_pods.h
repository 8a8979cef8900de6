#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What the API server refuses in the pods that an operator makes of the templates of an object, of which it refuses
/// nothing itself: `operator-pods-refused`; what an emptyDir and a user of such pods mean is as elsewhere. Of groups
/// alone whose operators take templates as they are.
void check_operator_pods(const Node& object, std::string_view api_version, std::vector<Finding>& findings);

}  // namespace muster
