#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Servers that a Dockerfile starts on 127.0.0.1, where nobody outside of the container reaches them: by the defaults
/// of uvicorn and Flask, or as the program of the input says itself (`image-server-on-loopback`).
void find_image_servers(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
