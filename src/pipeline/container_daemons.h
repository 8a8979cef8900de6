#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `slurm-cgroup-without-systemd`: a compose file starts slurmd alone in a container, with cgroups that systemd is
/// asked for. `slurm-munge-key-per-image`: images draw keys of munge that differ; `slurm-user-number-per-image`: the
/// user that SlurmUser names has another number in each.
void find_container_daemons(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
