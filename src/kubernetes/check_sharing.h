#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a configuration of NVIDIA's device plugin in the data of a ConfigMap that shares a GPU among fewer than two
/// (`sharing-replicas-few`).
void check_sharing(const Node& data, std::vector<Finding>& findings);

/// Resource names of the accelerators of which a device plugin makes several, as a configuration of it in the text
/// says: in a ConfigMap, in values of a chart, in what a script writes.
std::set<std::string> shared_accelerators(std::string_view text);

/// Those that take turns on all of the device's memory (`timeSlicing:`); MPS gives each a part of it.
std::set<std::string> time_sliced_accelerators(std::string_view text);

}  // namespace muster
