#include <algorithm>

#include "base/strings.h"
#include "decide/decide.h"
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

std::optional<Error> set_fact(const std::string& text, const RuleBook& book, Workload& workload, Site& site) {
  const auto wrong = [&](const std::string& message) {
    return Error{Error::Code::Usage, "--set " + text + ": " + message};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return wrong("expected FACT=VALUE, as in nodes=4");
  const std::string name(trim(text.substr(0, equals)));
  const std::string value(trim(text.substr(equals + 1)));
  const auto not_a = [&](std::string_view type) {
    return wrong("`" + name + "` is " + std::string(type) + ", which `" + value + "` is not");
  };
  if (const std::optional<std::size_t> index = workload_fact_index(name)) {
    const FactDef& fact = workload_facts()[*index];
    const InputType type = fact.type == FactType::Bool     ? InputType::Bool
                           : fact.type == FactType::Int    ? InputType::Int
                           : fact.type == FactType::Double ? InputType::Double
                                                           : InputType::String;
    const std::optional<TableValue> parsed = parse_value(type, value);
    if (!parsed) return not_a(name_of(fact.type));
    FactValue out = value;
    if (type == InputType::Bool) out = value == "true";
    if (const auto* number = std::get_if<std::int64_t>(&*parsed)) out = *number;
    if (const auto* number = std::get_if<double>(&*parsed)) out = *number;
    if (const std::string bad = objection(fact, out); !bad.empty()) return wrong("`" + name + "` " + bad);
    workload.facts[*index] = set_to(std::move(out), Span{}, fact.name);
    return std::nullopt;
  }
  std::vector<std::string_view> known;
  for (const FactDef& fact : workload_facts()) known.push_back(fact.name);
  for (const Table& table : book.tables()) {
    for (const TableInput& input : table.inputs) {
      if (input.origin == InputOrigin::Target || input.origin == InputOrigin::Site) known.push_back(input.name);
      if (input.name != name || input.origin == InputOrigin::Table) continue;
      if (!parse_value(input.type, value)) return not_a(name_of(input.type));
      const bool word = input.words.empty() || std::ranges::find(input.words, value) != input.words.end();
      if (!word) return wrong("`" + value + "` is none of " + join(input.words, ", "));
      if (input.origin == InputOrigin::Site) site.facts[name] = value;
      if (input.origin == InputOrigin::Target)
        site.targets[name.starts_with("target.") ? name.substr(7) : name] = *Version::parse(value);
      return std::nullopt;
    }
  }
  return wrong("there is no fact `" + name + "`" + did_you_mean(name, known));
}

}  // namespace muster
