#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "pipeline/terraform_given.h"

namespace muster {

/// `terraform-accelerator-count`: a number of GPUs in Terraform that is not the one of the machine type beside it,
/// written out or by variables of the module that nobody gives another value.
void find_terraform_accelerators(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings);

}  // namespace muster
