#pragma once

#include <vector>

#include "model/slurm.h"

namespace muster {

/// Sets SiteDevices::own_conf: slurmd reads the gres.conf of its own node, and an input may have several, or one of
/// them.
void note_own_gres_confs(std::vector<SlurmSite>& sites);

}  // namespace muster
