#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// `key-name-unread`: labels and annotations whose domain is a program's own, and whose word is nearly one that it
/// reads.
void check_key_names(const Node& metadata, std::vector<Finding>& findings);

}  // namespace muster
