#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Takes out `flux-dependency-missing` of what a script, a program or another object of the input names; and
/// `container-variable-unset` where another file gives the container its variable: a patch of the same
/// folder, of a kustomization that is not built here, or a program that names `$(NAME)` and so puts something in its
/// place. Of `custom-field-missing` that many files have of one field keeps one, as information: what completes them
/// all does. And `cuda-image-tag-gone` of an image that `container-image-tag-gone` speaks of.
void settle_filled_elsewhere(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
