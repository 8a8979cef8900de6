#pragma once

#include "model/gang.h"
#include "syntax/document.h"

namespace muster {

/// What a pod asks of its node beside accelerators: CPUs and memory, selectors, tolerations, and the rest in words.
void read_pod_asks(const Node& pod_spec, Role& role);

}  // namespace muster
