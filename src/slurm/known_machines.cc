#include "slurm/known_machines.h"

#include <string>

#include "base/strings.h"

namespace muster::sbatch {

// Sources: docs.lumi-supercomputer.eu/runjobs/scheduled-jobs/partitions, "slurm partitions allocatable by node";
// docs.olcf.ornl.gov/systems/frontier_user_guide.html, whose examples give no GPUs to sbatch.
bool is_for_whole_nodes(const SbatchJob& job, std::string_view text) {
  const std::string_view partition = job.partition.is_set() ? std::string_view(job.partition.value) : "";
  if (partition == "standard-g") return true;
  // small-g and dev-g of LUMI, and the partitions of Setonix, take the same module.
  const bool of_frontier = partition.empty() || partition == "batch" || partition == "extended";
  return of_frontier && (contains(text, "craype-accel-amd-gfx90a") || contains(text, "/lustre/orion") ||
                         contains_ignoring_case(text, "frontier"));
}

}  // namespace muster::sbatch
