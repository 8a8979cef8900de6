#pragma once

#include "model/model.h"

namespace muster {

/// Gangs of no pods whose number KEDA sets: a ScaledObject scales from zero, a HorizontalPodAutoscaler does not.
/// Sources: kedacore/keda:pkg/scaling/executor/scale_scaledobjects.go (2.18);
/// kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale, "Implicit maintenance-mode
/// deactivation".
void leave_to_autoscalers(Model& model);

}  // namespace muster
