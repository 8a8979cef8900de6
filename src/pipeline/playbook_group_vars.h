#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// `playbook-group-vars-unread`: group_vars or host_vars that lie beside neither a playbook nor an inventory.
void find_unread_group_vars(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
