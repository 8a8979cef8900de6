#pragma once

#include <string>
#include <vector>

#include "kinds/kind.h"
#include "model/slurm.h"

namespace muster {

/// topology.conf: one topology; tree from SwitchName, block from BlockName lines. Source: slurm.schedmd.com/topology.conf.html.
void read_topology_conf(const Artifact& artifact, const std::string& path, SlurmSite& site, std::vector<Finding>& findings);

/// topology.yaml: each entry a topology; keys are case-sensitive. Source: slurm.schedmd.com/topology.yaml.html.
void read_topology_yaml(const Artifact& artifact, const std::string& path, SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
