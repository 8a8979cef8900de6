#pragma once

#include "gang/scheduling.h"

namespace muster {

/// Whether the pods of a workload are one collective, and whether fewer of them would do: by what they run, else by
/// their kind and shape. `shares`: pods get parts of devices. Source: docs/gangs.md, "Is it one collective?".
void judge_coupling(PodWorkload& work, bool shares);

}  // namespace muster
