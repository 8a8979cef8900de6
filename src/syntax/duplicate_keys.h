#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// A finding of rule duplicate-key for each key that stands twice in one mapping, at its second place. Stops at the
/// thousandth: nobody reads on.
void report_duplicate_keys(const Document& document, std::vector<Finding>& findings);

}  // namespace muster
