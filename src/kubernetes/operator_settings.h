#pragma once

#include "input/kind.h"
#include "syntax/document.h"

namespace muster {

/// Settings of the operators that a pod runs, from the flags of its containers, as rules/operators lists them.
void read_operator_settings(const Node& pod_spec, const NormaliseContext& context);

}  // namespace muster
