#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a Job of Volcano whose containers ask for what the plugin `svc` makes, without it
/// (`volcano-hosts-without-svc`).
void check_volcano_job(const Node& object, std::vector<Finding>& findings);

}  // namespace muster
