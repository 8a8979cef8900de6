#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What is wrong in the playbooks and roles of Ansible that set up a cluster.
void find_playbook_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
