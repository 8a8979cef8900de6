#pragma once

#include "model/model.h"

namespace muster {

/// Holds claims and their templates against the devices that ResourceSlices of their bundle publish, where those are of
/// a whole cluster: Manifest::unfit, and ClaimUse::unfit of pods that select nodes. After link.
void fit_claims(Model& model);

}  // namespace muster
