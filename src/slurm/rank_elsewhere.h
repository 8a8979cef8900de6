#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster::sbatch {

/// `sbatch-node-rank-for-one-node`: a launcher that is told how many nodes the job has and gets its node rank from the
/// batch shell, which is right for as long as that is one node.
void find_rank_for_one_node(FileId file, std::string_view text, const SbatchJob& job, std::vector<Finding>& findings);

}  // namespace muster::sbatch
