#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What check_rule_lists (kubernetes/check_queries.h) says of the files of the input that are no objects: files of
/// rules of Prometheus, and values of charts. Templates are read where they are rendered.
void find_rule_file_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
