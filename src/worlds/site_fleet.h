#pragma once

#include <optional>
#include <string>

#include "model/fleet.h"
#include "model/slurm.h"

namespace muster {

/// The nodes of a slurm.conf as a fleet file would list them: a node pool for those that have as many GPUs and stand in
/// the same partitions, which are its labels, and the blocks of its topology. Nothing where not all of that is known.
/// `spare_cores_kept`: see WorldOptions.
std::optional<Fleet> fleet_of_site(const SlurmSite& site, bool spare_cores_kept);

/// The label of the nodes that a component of a batch job may take. Nothing, and why, where that is not one partition.
std::optional<std::string> partition_label(const SlurmSite& site, const SbatchComponent& part, std::string& needs);

}  // namespace muster
