#pragma once

#include <string>
#include <vector>

#include "prove/slurm_lab.h"

namespace muster::test {

/// Where the outcome of a round and the prover's model of it differ, one sentence each.
std::vector<std::string> disagreements(const LabCluster& cluster, const LabRound& round, const LabOutcome& outcome);

}  // namespace muster::test
