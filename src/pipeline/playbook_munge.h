#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// `playbook-munge-key-unread`: a key is copied for a munged that runs with another one already, and nothing restarts
/// it.
void check_playbook_munge(const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
