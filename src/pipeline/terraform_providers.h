#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What Terraform cannot do with the providers that folders ask for: a module wants a release that the folder which
/// calls it excludes (`terraform-constraints-disjoint`), arguments of AKS that the provider of Azure calls otherwise in
/// its release (`terraform-azure-of-other-release`), and a provider of Kubernetes or Helm that is told of no cluster
/// (`terraform-provider-without-cluster`).
void find_terraform_providers(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
