#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Calls of templatefile() in Terraform: `terraform-template-variable-missing`, a name that the template reads and the
/// call does not give; `terraform-template-missing`, a template that is not there.
void find_terraform_templates(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
