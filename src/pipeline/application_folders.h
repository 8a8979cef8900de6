#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `application-folder-without-manifests`: an Application of Argo CD whose folder has no file of its own, and manifests
/// in the folders below alone, which it does not go into. Not where it is told to, nor with a plugin.
void find_bare_folders(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
