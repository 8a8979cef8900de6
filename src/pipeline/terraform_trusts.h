#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `terraform-trust-of-other-namespace`: a role of AWS trusts the service account of a release of Helm, in a namespace
/// that the release does not go to. Of folders with one release and one namespace in their trusts, whose namespace is
/// written out, or is the default of a variable that no call of the module sets.
void find_terraform_trusts(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
