#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Parses a whole JSON text into the same tree as YAML. What is not JSON is a finding of rule json-syntax, a key given
/// twice one of duplicate-key. Never throws.
bool read_json(FileId file, std::string_view text, Document& out, std::vector<Finding>& findings);

}  // namespace muster
