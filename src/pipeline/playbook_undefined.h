#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `playbook-variable-undefined`: what a task or template of Ansible reads and nothing sets, where a variable of nearly
/// its name is set and read by nobody.
void find_undefined_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
