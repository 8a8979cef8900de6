#pragma once

#include <string>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster::test {

/// One line for each key and value: `LINE:COLUMN-LINE:COLUMN what`, indented by depth, aliases followed. A scalar is
/// shown as `plain` or `quoted` and its text with line ends as \n, a key as `key`. Stops below depth 40.
std::string outline(const Document& document, const SourceMap& sources);

/// `LINE:COLUMN-LINE:COLUMN rule: message` for each finding.
std::string list_findings(const std::vector<Finding>& findings, const SourceMap& sources);

}  // namespace muster::test
