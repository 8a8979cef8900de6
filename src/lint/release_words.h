#pragma once

#include <string>
#include <vector>

#include "base/version.h"

namespace muster {

/// In which releases of a target something is so, `fires` by release: `from slurm 25.05 on`, `up to slurm 24.11`,
/// `with slurm 23.02 to 24.05, 25.11`. `begins`: it was not so before the first of them.
std::string release_words(const std::string& target, const std::vector<Version>& releases,
                          const std::vector<bool>& fires, bool begins = false);

}  // namespace muster
