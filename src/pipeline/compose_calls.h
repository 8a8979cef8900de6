#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// `compose-call-without-file`: a shell script calls Docker Compose with a file that the input does not have, or with
/// none in a folder whose files have other names than those that Compose looks for.
void find_compose_calls(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
