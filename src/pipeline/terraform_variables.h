#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `terraform-variable-unread`: variables of a module of Terraform about GPUs that no file of its folder reads, and
/// `terraform-value-undeclared`: what terraform.tfvars there, or an example of it, gives to a variable that is none.
/// Nothing of a folder of which a file was not read.
void find_terraform_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
