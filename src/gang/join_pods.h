#pragma once

#include "gang/scheduler.h"
#include "model/model.h"

namespace muster {

/// Makes one gang of the Pods that say they belong to the same group: alike ones are a role, each other one its own.
/// Pods of a bundle go together, those of one file where another file has Pods of the same names.
void join_pods(Model& model, const SchedulerBook& book);

}  // namespace muster
