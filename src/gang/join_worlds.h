#pragma once

#include "model/model.h"

namespace muster {

/// Objects that only work together, though no group of a scheduler says so: Pods and Jobs of one file that are the
/// ranks of one world, and servers whose model is spread over the Ray cluster that others of the bundle join by hand.
/// Of numbered Pods that hold whole hosts it is unknown. After join_pods.
void join_worlds(Model& model);

}  // namespace muster
