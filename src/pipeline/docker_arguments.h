#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/source_map.h"

namespace muster {

/// `image-argument-before-from`: an ARG that stands before the first FROM of a Dockerfile, and that a stage uses
/// without saying it again. Linear in the text.
void find_docker_arguments(FileId file, std::string_view text, std::vector<Finding>& findings);

}  // namespace muster
