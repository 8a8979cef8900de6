#include <algorithm>

#include "decide/decide.h"
#include "decide/decider.h"
#include "decide/trace_row.h"

namespace muster {

Span place_of(const TableInput& input, const Workload& workload) {
  if (input.origin == InputOrigin::Fact) return workload.fact(input.name).where;
  return {};
}

TraceRow trace_row(const Table& table, const TableRow& row, const ValueLookup& value_of, const Workload& workload) {
  TraceRow out;
  out.id = row.id;
  for (const TableOutput& output : table.outputs)
    out.outcome += (out.outcome.empty() ? "" : ", ") + output.name + "=" + row.then.at(output.name);
  bool fails = false;
  bool open = false;
  for (const TableInput& input : table.inputs) {
    const auto cell = row.when.find(input.name);
    if (cell == row.when.end()) continue;
    const std::optional<TableValue> value = value_of(input);
    if (value && cell->second.allows(*value)) continue;
    (value ? fails : open) = true;
    out.cells.push_back(
        {input.name, cell->second.text, value ? to_text(*value) : "", value.has_value(), place_of(input, workload)});
  }
  out.state = fails ? RowState::Fails : open ? RowState::MayHit : RowState::Hits;
  return out;
}

ValueLookup lookup_in(Evaluation& evaluation, const Workload& workload, const Site& site) {
  return [&evaluation, &workload, &site](const TableInput& input) -> std::optional<TableValue> {
    if (input.origin != InputOrigin::Table) return known_value(input, workload, site);
    const Choice choice = evaluation.output(*evaluation.book().find_table(input.from), input.name);
    return choice.value ? std::optional<TableValue>(*choice.value) : std::nullopt;
  };
}

std::vector<TableTrace> trace_tables(const Workload& workload, const RuleBook& book, const Site& site) {
  Evaluation evaluation(book, known_box(book.space(), workload, site));
  const ValueLookup value_of = lookup_in(evaluation, workload, site);
  std::vector<TableTrace> out;
  for (const Table& table : book.tables()) {
    if (!looks_at_workloads(book.space(), table)) continue;
    TableTrace trace{table.id, {}};
    bool taken = false;
    for (const TableRow& row : table.rows) {
      TraceRow traced = trace_row(table, row, value_of, workload);
      if (taken && traced.state != RowState::Fails) traced.state = RowState::Taken;
      taken = taken || (traced.state == RowState::Hits && table.hit != HitPolicy::Collect);
      trace.rows.push_back(std::move(traced));
    }
    out.push_back(std::move(trace));
  }
  return out;
}

}  // namespace muster
