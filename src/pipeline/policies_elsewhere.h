#pragma once

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Whether a file of the input has policies of another kind than NetworkPolicy.
bool has_other_policies(const Inputs& inputs);

/// Takes ManifestRemarks::shut_by and port_of_service where a file of the input has policies of another kind, Cilium's,
/// Calico's or an administrator's: those let in and out, too.
void forgive_other_policies(const Inputs& inputs, Model& model);

/// Takes ManifestRemarks::injected where Istio's proxies end with their pod, or the pods get none: those in the network
/// of their node.
void forgive_native_proxies(const Inputs& inputs, Model& model);

/// Takes ManifestRemarks::empties where Terraform makes a PodDisruptionBudget.
void forgive_other_budgets(const Inputs& inputs, Model& model);

}  // namespace muster
