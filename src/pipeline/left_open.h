#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/check.h"

namespace muster {

/// What stands in a file that an Include names and nobody gave, or what somebody writes into the records of a form, is
/// not known, whatever rule would look at it.
void leave_unread_open(const Workspace& w, std::vector<Undecided>& out);

}  // namespace muster
