#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What clusters of EKS lack because a default was left as it is, and no text of the input speaks of it:
/// `karpenter-without-interruption-queue`, spot nodes whose warnings nobody reads; `karpenter-permissions-old`, a
/// controller of release 1 with the policy of those before; `network-policy-not-enforced`, NetworkPolicies and a CNI
/// that is not told to look at them; `spot-role-made-again`, what an account has once.
void find_eks_defaults(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
