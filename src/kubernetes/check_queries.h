#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// The expressions of a PrometheusRule: what no release of Prometheus takes (`prometheus-query-refused`), and alerts
/// that never come or never go (`alert-sides-unmatched`, `alert-counter-stays`); of a ScaledObject of KEDA, whose
/// queries are for Prometheus, the first of these. Passed over are expressions with `$` or `{{`, which somebody fills
/// in, and those of Loki. Nothing of other kinds.
void check_queries(const Node& object, std::string_view api_version, std::string_view kind,
                   std::vector<Finding>& findings);

/// The same of a file of rules that Prometheus reads itself, or of values of a chart that hold such: of each list of
/// `groups` whose items have `rules`.
void check_rule_lists(const Node& document, std::vector<Finding>& findings);

}  // namespace muster
