#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Units of systemd for Slurm's daemons, also within scripts and playbooks: `slurm-unit-memory-lock`,
/// `slurm-rest-as-slurm-user`.
void find_daemon_units(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
