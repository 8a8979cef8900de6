#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

struct WorldOptions {
  std::int64_t concurrent = 1;  ///< instances of each workload that may be in flight
  bool slurm_nodes = false;     ///< batch jobs without a fleet file meet the nodes of their slurm.conf
  /// Whether each release in question keeps CoreSpecCount cores of nodes of the cloud from the start; 22.05 does not.
  bool spare_cores_kept = false;
};

/// A gang that no world could be made of, and what would decide it.
struct LeftOut {
  std::size_t gang = 0;  ///< in Model::gangs
  std::string needs;
};

struct FoundWorlds {
  std::vector<World> worlds;
  std::vector<LeftOut> left_out;
};

/// The worlds of world files, then what the input's own gangs and fleet make: all gangs of a bundle against its nodes
/// and, with several instances each, every gang against as many of its own kind. Gangs meet the node pools of the one
/// fleet file of their bundle, else of the only one there is; batch jobs, if asked for, else those of the partitions of
/// their slurm.conf. What is not known is never assumed: such a gang is left out.
FoundWorlds find_worlds(const Model& model, const WorldOptions& options);

}  // namespace muster
