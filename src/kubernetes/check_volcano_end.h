#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a Job of Volcano one task of which ends while another one serves it for ever, and nothing ends the Job:
/// `volcano-workers-never-end`.
void check_volcano_end(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
