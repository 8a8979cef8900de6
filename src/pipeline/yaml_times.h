#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `yaml-time-as-number`: `walltime: 12:00:00` without quotes in YAML that PyYAML reads and that becomes a time of
/// Slurm: it is the number 43200 then.
void find_times_as_numbers(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
