#pragma once

#include <string>

#include "model/model.h"
#include "source/source_map.h"

namespace muster {

/// Each Slurm site as its slurmctld has it: groups of nodes alike with their CPUs, memory, devices, partitions and
/// switches, the partitions with their limits. What nobody knows is null.
std::string site_json(const Model& model, const SourceMap& sources);

}  // namespace muster
