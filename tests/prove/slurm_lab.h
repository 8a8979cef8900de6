#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/slurmctld.h"

namespace muster::test {

/// What becomes of a job, of a task of an array or of a heterogeneous job as a whole.
enum class Fate {
  Runs,
  Waits,     ///< pends, and runs once those that run are gone
  Never,     ///< is refused at submission, or pends on the idle cluster
  GivesWay,  ///< ran, and was requeued or cancelled as a whole for another one
  Stops,     ///< ran, and is suspended with what it holds
};

struct LabJob {
  std::string options;  ///< of sbatch
  std::string gang;     ///< the same in a world file, without its name; empty: it takes no GPUs and stands in no world
  std::vector<Fate> fates;  ///< one, or one of each task
};

struct LabRound {
  std::string what;
  std::vector<LabJob> jobs;
};

/// A configuration of Slurm, and the same nodes in a world file.
struct LabCluster {
  std::string name;
  std::string records;                        ///< of slurm.conf, beside what slurm_conf() writes
  std::string topology;                       ///< topology.conf
  std::vector<std::string> nodes;             ///< n1, n2 ... as nodes of a world file
  std::vector<std::string> releases_without;  ///< that do not know what it is about
  std::vector<LabRound> rounds;
};

std::vector<LabCluster> lab_clusters();

/// A job, a task or a component, as squeue shows it.
struct LabPart {
  std::string state;                ///< PENDING, CONFIGURING, SUSPENDED ...
  std::vector<std::int64_t> nodes;  ///< numbers, n1 is 0; of what runs or is suspended
  bool holds() const { return state != "PENDING"; }
  friend bool operator==(const LabPart&, const LabPart&) = default;
};

struct LabState {
  std::vector<std::vector<LabPart>> jobs;  ///< by job of the round; empty: gone, or refused
  std::vector<std::int64_t> gpus_in_use;   ///< by node
};

/// What the real one made of a round: when all was submitted, and after all that ran was cancelled.
struct LabOutcome {
  std::vector<bool> refused;  ///< by job of the round
  LabState first;
  std::optional<LabState> then;
  std::string said;  ///< what sbatch said that was no number
};

/// All rounds of all clusters that the release knows, clusters beside each other. Nothing: slurmctld did not come up.
std::map<std::string, std::vector<std::optional<LabOutcome>>> play(const std::vector<LabCluster>& clusters,
                                                                   const SlurmInstall& install);

}  // namespace muster::test
