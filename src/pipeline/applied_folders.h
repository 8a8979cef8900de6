#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `namespace-applied-late`: some text of the input gives a folder to kubectl, which takes its files by name, and a
/// Namespace comes behind what is to live in it. Not where somebody makes the namespace before, nor beside a
/// kustomization.
void find_late_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

/// `object-given-twice`: two files of a folder that is given to kubectl so have one object, and differ in what is read
/// of it. `local-queue-moved`: LocalQueues of one name, in a folder of which both are applied or are steps,
/// lead to two ClusterQueues.
void find_objects_applied_again(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
