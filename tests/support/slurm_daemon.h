#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "support/slurmctld.h"

namespace muster::test {

/// A slurm.conf for nodes that nobody started: on loopback, without munge. `records` are its nodes, partitions and
/// whatever else it needs; $D and $PORT are filled in by SlurmDaemon.
std::string slurm_conf(const std::string& records);

/// A slurmctld in a folder of its own, within its chroot if it has one. It is killed with the object, and the folder
/// goes.
class SlurmDaemon {
 public:
  /// Writes the files, $D in them being the folder, $PORT and $AGENT free ports, and starts slurmctld. Not for several
  /// threads at once.
  SlurmDaemon(const std::map<std::string, std::string>& files, const SlurmInstall& install);
  ~SlurmDaemon();
  SlurmDaemon(const SlurmDaemon&) = delete;
  SlurmDaemon& operator=(const SlurmDaemon&) = delete;

  /// Until it answers `scontrol ping`; false when it ends before, or after a minute.
  bool wait_until_up();
  /// Lines that a client of the same release says, such as `scontrol show nodes`. Its complaints are among them.
  std::vector<std::string> ask(const std::string& command) const;
  /// Lines of its log with fatal, error or warning.
  std::vector<std::string> complaints() const;

 private:
  std::string root_;
  std::string outside_;  ///< its folder as this process sees it
  std::string inside_;   ///< the same as it sees it
  pid_t pid_ = -1;
};

}  // namespace muster::test
