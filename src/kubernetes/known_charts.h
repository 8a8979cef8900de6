#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Whether schemas/chart.values has a chart of that name; its form is described in scripts/chart_values.py.
bool is_known_chart(std::string_view chart);

/// Values that no release of such a chart has read, `chart-value-unread`: of the top and the level below. Nothing of
/// other charts. `place`: where values stand that do not know it themselves.
void check_known_values(std::string_view chart, const Node& values, std::optional<Span> place,
                        std::vector<Finding>& findings);

}  // namespace muster
