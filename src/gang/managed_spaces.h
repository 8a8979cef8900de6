#pragma once

#include "gang/scheduler.h"
#include "model/model.h"

namespace muster {

/// Pods that kube-scheduler would place, in namespaces whose pods somebody sends to another scheduler: its chart's
/// values say which. After operators have had their say.
void send_by_space(Model& model, const SchedulerBook& book);

}  // namespace muster
