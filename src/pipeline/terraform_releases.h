#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "pipeline/terraform_given.h"

namespace muster {

/// Terraform that is written for another release than it gets: blocks of the Helm provider that release 3 has not, or
/// its lists in release 2 (`terraform-helm-of-other-release`), arguments of the module of EKS that release 21 calls
/// otherwise (`terraform-eks-of-other-release`), versions of EKS that AWS does not run any more (`eks-version-ended`),
/// and credentials of an API that clients do not take any more (`exec-credential-version-gone`).
void find_terraform_releases(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings);

}  // namespace muster
