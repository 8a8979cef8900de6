#pragma once

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// ManifestRemarks::without_crds: the files of values that an Application of Argo CD names are all in the input, and
/// none of them speaks of crds. Of very many files and names nobody looks: then nothing is known of them.
void note_application_values(const Inputs& inputs, Model& model);

}  // namespace muster
