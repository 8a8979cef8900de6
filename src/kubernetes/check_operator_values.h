#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Values of ScaledObjects, ScaledJobs and EC2NodeClasses, of whose definitions schemas/kubernetes.fields has none, that
/// the API server refuses by them (`field-type`). Nothing of other kinds.
void check_operator_values(const Node& object, std::string_view api_version, std::string_view kind,
                           std::vector<Finding>& findings);

}  // namespace muster
