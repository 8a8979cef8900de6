#pragma once

#include "model/slurm.h"

namespace muster {

/// NodeSets whose feature no node has, where all nodes and their features are known.
void find_lost_features(SlurmSite& site);

}  // namespace muster
