#pragma once

#include "model/gang.h"

namespace muster {

struct PodTemplate;

/// What a pod asks of its node beside accelerators: CPUs and memory, selectors, tolerations, and the rest in words.
void read_pod_asks(const PodTemplate& pod_template, Role& role);

}  // namespace muster
