#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "model/slurm.h"

namespace muster {

/// DefMem... or MaxMem... in force: the setting, and whether each CPU is meant or the node.
struct MemoryAmount {
  const SlurmSetting* setting = nullptr;
  std::int64_t megabytes = 0;
  bool per_cpu = false;
};

/// That of keys which begin so, `defmemper`: of the two units that of the node wins. Nothing where it is not written,
/// not known, or 0, which is no limit.
std::optional<MemoryAmount> memory_amount(const std::vector<SlurmSetting>& settings, const std::string& begin);

/// `slurm-max-memory-below-default`: MaxMemPerCPU or MaxMemPerNode, of the site or of a partition, below what a job
/// gets that asks for no memory.
void check_memory_limits(const SlurmSite& site, std::vector<Finding>& findings);

}  // namespace muster
