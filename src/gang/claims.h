#pragma once

#include "input/kind.h"
#include "model/gang.h"
#include "syntax/document.h"

namespace muster {

/// Fills in the accelerators of pods that ask for them with ResourceClaims, where those stand in the input. Source:
/// kubernetes/api:resource/v1/types.go (1.37).
void read_claims(const Node& pod_spec, std::string_view space, const NormaliseContext& context, Role& role);

}  // namespace muster
