#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// `alert-metric-not-exported`: a PrometheusRule that asks for a metric of DCGM which dcgm-exporter gives nobody who
/// has not asked for it, where the input installs that exporter and speaks of no counters of its own.
void find_unexported_metrics(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
