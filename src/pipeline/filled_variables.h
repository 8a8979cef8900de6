#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Takes out `container-variable-unset` where another file gives the container its variable: a patch of the same folder,
/// of a kustomization that is not built here, or a program that names `$(NAME)` and so puts something in its place.
void drop_filled_variables(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
