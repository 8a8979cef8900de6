#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// Reports what Helm cannot do with a template of a chart: a value whose path has a character that no name may have
/// (`helm-value-path-broken`), a mapping that is printed as Go prints one (`helm-map-printed`). `text` is the file.
void check_template(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
