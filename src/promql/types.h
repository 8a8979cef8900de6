#pragma once

#include "promql/query.h"

namespace muster::promql {

/// Fills in what each node gives. Where one gets what it does not take, that is the refusal of the query, and its root
/// is taken away.
void check_types(Query& query);

}  // namespace muster::promql
