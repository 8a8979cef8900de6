#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What pip cannot install, in scripts, images, guides and lists of requirements: a release of PyTorch for a CUDA that
/// it was not built for (`torch-not-for-cuda`), and FlashAttention without the PyTorch that it is built with
/// (`flash-attention-built-alone`). Linear in the texts.
void find_pip_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
