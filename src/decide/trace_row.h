#pragma once

#include "decide/evaluation.h"

namespace muster {

/// The value of an input, if it is known.
using ValueLookup = std::function<std::optional<TableValue>(const TableInput& input)>;

/// Facts of a workload, and outputs of tables where they are decided. All arguments must outlive it.
ValueLookup lookup_in(Evaluation& evaluation, const Workload& workload, const Site& site);

/// A row against what is known, as if it stood alone.
TraceRow trace_row(const Table& table, const TableRow& row, const ValueLookup& value_of, const Workload& workload);

/// Where the workload gives the value of an input.
Span place_of(const TableInput& input, const Workload& workload);

}  // namespace muster
