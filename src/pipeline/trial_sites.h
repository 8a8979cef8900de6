#pragma once

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// SlurmSite::cgroup_conf_named, and SlurmSite::for_trial: its folder is called so, or a Dockerfile or compose file
/// there, or a folder above that names this one, is about Slurm.
void note_trial_sites(const Inputs& inputs, Model& model);

}  // namespace muster
