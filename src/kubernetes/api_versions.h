#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/span.h"

namespace muster {

/// Groups of Kubernetes itself have no dot, or end in k8s.io without being a project's `x-k8s.io`.
bool is_built_in_group(std::string_view group);

/// Reports `custom-api-version-unknown` of an object that stands at `at`; placeholders are passed over, and kinds of
/// which no version is known.
void report_version(const Span& at, std::string_view api_version, std::string_view kind,
                    const std::vector<std::string>& versions, std::vector<Finding>& findings);

}  // namespace muster
