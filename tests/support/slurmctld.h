#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muster::test {

/// Where the real slurmctld is, if it is installed.
std::optional<std::string> slurmctld_path();

/// A slurmctld of some release: of this machine, or in a chroot.
struct SlurmInstall {
  std::string root;     ///< the chroot's folder; empty: this machine
  std::string release;  ///< 24.11.5
};
/// The slurmctld of this machine, if it is installed.
std::optional<SlurmInstall> slurm_here();
/// The chroots in the folder that MUSTER_SLURM_CHROOTS names, sorted by release; scripts/slurm-versions makes them.
std::vector<SlurmInstall> slurm_chroots();

/// What slurmctld made of a set of configuration files.
struct SlurmVerdict {
  bool up = false;                    ///< answered `scontrol ping`
  std::vector<std::string> log;       ///< lines with fatal, error or warning
  std::vector<std::string> topology;  ///< `scontrol show topology`
  std::vector<std::string> answers;   ///< what scontrol says to each question
};

/// Starts slurmctld in a folder of its own, on loopback, without munge or any slurmd, and stops it by its PID. `nodes`
/// is the NodeName list; `files` are added beside the slurm.conf that this writes, and a nodes.conf among them replaces
/// its nodes, partitions, GresTypes and TopologyPlugin. `questions` are put to the running one, such as `show nodes`.
SlurmVerdict run_slurmctld(const std::string& nodes, const std::map<std::string, std::string>& files,
                           const SlurmInstall& install = {}, const std::vector<std::string>& questions = {});

/// Starts it with these files alone; $D in them is the folder, $PORT a free port.
SlurmVerdict run_slurmctld_as_is(const std::map<std::string, std::string>& files, const SlurmInstall& install);

}  // namespace muster::test
