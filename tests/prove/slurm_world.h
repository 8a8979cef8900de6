#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prove/prove.h"
#include "prove/slurm_fits.h"
#include "prove/slurm_lab.h"

namespace muster::test {

/// The world of a round, or of one of its jobs; what its world file is told is wrong with it goes to `wrong`.
World world_of(const LabCluster& cluster, const LabRound& round, std::optional<std::size_t> only,
               std::vector<std::string>& wrong);

std::int64_t pods_of(const WorldGang& gang);

/// Placed pods as steps from the empty nodes: of a gang those it guarantees at once, the others one by one.
ProofCounterexample as_steps(const World& world, const std::vector<PlacedPod>& pods);

}  // namespace muster::test
