#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// `kai-queue-children-above-quota`: the quotas of the queues right below one of KAI are together more than its own.
void find_queue_children(const Model& model, std::vector<Finding>& findings);

}  // namespace muster
