#pragma once

#include <vector>

#include "input/artifact.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Model::unlisted_files: what stands beside a kustomization that does not speak of it, and is part of nothing that is
/// built.
void note_unlisted_files(const std::vector<ParsedFile>& parsed, const Inputs& inputs, Model& model);

}  // namespace muster
