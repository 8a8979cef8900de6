#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "pipeline/terraform_given.h"

namespace muster {

/// `terraform-pool-size-reset`: a node pool of GKE, AKS, DigitalOcean or Linode has a size and an autoscaler, and
/// nothing says that Terraform is to leave the size alone. A size that may be null is passed over, and what is dynamic.
void find_terraform_pool_sizes(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings);

}  // namespace muster
