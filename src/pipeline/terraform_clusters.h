#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "pipeline/terraform_given.h"

namespace muster {

/// Clusters of Terraform that the cloud refuses: on AKS addresses of Services within the subnet of its nodes
/// (`aks-service-range-overlaps`), on EKS built-in pools that are none (`eks-auto-pool-unknown`).
void find_terraform_clusters(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings);

}  // namespace muster
