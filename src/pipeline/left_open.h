#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/check.h"

namespace muster {

/// What stands in a file that an Include names and nobody gave, or what somebody writes into the records of a form, is
/// not known, whatever rule would look at it.
void leave_unread_open(const Workspace& w, std::vector<Undecided>& out);

/// Takes out what only the type of a value left open, where `field-type` says that of a value behind the place in the
/// same document: the object is refused, and one cause is said once.
void drop_of_wrong_types(const std::vector<Finding>& findings, const SourceMap& sources,
                         std::vector<Undecided>& undecided);

}  // namespace muster
