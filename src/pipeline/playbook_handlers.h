#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// `notify` of a handler that no task of the input is called, while one is called like it.
void check_playbook_handlers(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
