#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// `playbook-conf-never-read-again`: files of Slurm's are deployed to daemons that are only started, and nothing in any
/// playbook tells these to read them again. `playbook-munge-without-key`: munge is installed, and no file of the
/// input speaks of its key.
void check_playbook_restarts(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
