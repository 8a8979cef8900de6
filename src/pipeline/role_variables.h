#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Variables of Ansible roles about Slurm or GPUs: `role-variable-unread`, a default that nothing of the input reads;
/// `role-variable-misspelt`, what a task or a template reads and nothing sets, beside such a one that is spelt like it.
/// Names that begin as most of the role's do, alone: others may be of another role. Nothing where names are put together.
/// Source: docs.ansible.com/ansible/latest/playbook_guide/playbooks_reuse_roles.html (2.20).
void find_role_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
