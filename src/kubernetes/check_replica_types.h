#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports keys of the replica specs of a job of Kubeflow that are no replica type of its kind:
/// `kubeflow-replica-type-unknown`. A TFJob takes any. And several pods of a type that has one:
/// `kubeflow-single-replica`.
void check_replica_types(const Node& spec, std::string_view api_version, std::string_view kind,
                         std::vector<Finding>& findings);

}  // namespace muster
