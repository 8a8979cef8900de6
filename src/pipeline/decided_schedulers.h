#pragma once

#include <vector>

#include "decide/decision.h"
#include "finding/finding.h"
#include "gang/scheduler.h"
#include "model/model.h"

namespace muster {

/// Says of each gang of Kubernetes which gang scheduler its cluster is decided to have, and marks what installs another
/// one. Nothing where a bundle's workloads decide none, leave it open or differ, or its fleet file has several
/// clusters.
void relate_schedulers(Model& model, const std::vector<Decision>& decisions, const SchedulerBook& book);

/// Takes out that two gangs' schedulers compete where one is decided: each gang that goes elsewhere is told by itself.
void drop_settled(const Model& model, std::vector<Finding>& findings);

}  // namespace muster
