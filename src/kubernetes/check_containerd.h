#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// Settings of containerd, in its config.toml or in a text that quotes or writes one, that stand where releases
/// from 2.0 on do not look for them.
void check_containerd(std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
