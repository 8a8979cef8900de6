#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muster::test {

/// Where the real slurmctld is, if it is installed.
std::optional<std::string> slurmctld_path();

/// What slurmctld made of a set of configuration files.
struct SlurmVerdict {
  bool up = false;                      ///< answered `scontrol ping`
  std::vector<std::string> log;         ///< lines with fatal, error or warning
  std::vector<std::string> topology;    ///< `scontrol show topology`
  std::vector<std::string> answers;     ///< what scontrol says to each question
};

/// Starts slurmctld in a folder of its own, on loopback, without munge or any slurmd, and stops it by its PID. `nodes` is
/// the NodeName list; `files` are added beside the slurm.conf that this writes, and a nodes.conf among them replaces its
/// nodes, partitions, GresTypes and TopologyPlugin. `questions` are put to the running one, such as `show nodes`.
SlurmVerdict run_slurmctld(const std::string& nodes, const std::map<std::string, std::string>& files, const std::vector<std::string>& questions = {});

}  // namespace muster::test
