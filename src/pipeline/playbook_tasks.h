#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// What Ansible refuses of a task, or takes for something else than it says, whatever the rest of the playbook is: keys
/// and parameters that nobody knows, states that a module does not have, modes in decimal, filters that are tests.
void check_playbook_tasks(const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
