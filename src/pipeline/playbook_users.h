#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// `playbook-user-number-differs`: tasks that make the user or group of Slurm or munge with different numbers.
void check_playbook_users(const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
