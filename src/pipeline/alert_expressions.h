#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Expressions of Prometheus in rules, wherever these stand (a PrometheusRule, values of a chart, a file of rules): an
/// `offset` behind brackets (`alert-offset-behind-brackets`), a counter that is compared as it is
/// (`alert-on-counter-total`), and two sides without a label in common (`alert-sides-never-match`). Linear in the
/// texts.
void find_alert_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
