#include "decide/evaluation.h"

#include <algorithm>

namespace muster {
namespace {

/// Steps of search for one workload; proved tables need a small part of it.
constexpr std::uint64_t kDecisionBudget = 20'000'000;

TableValue value_of(const FactValue& fact) {
  if (const auto* flag = std::get_if<bool>(&fact)) return std::string(*flag ? "true" : "false");
  if (const auto* number = std::get_if<std::int64_t>(&fact)) return *number;
  if (const auto* number = std::get_if<double>(&fact)) return *number;
  return std::get<std::string>(fact);
}

}  // namespace

std::optional<TableValue> known_value(const TableInput& input, const Workload& workload, const Site& site) {
  switch (input.origin) {
    case InputOrigin::Table: return std::nullopt;
    case InputOrigin::Target: {
      const auto found = site.targets.find(input.name.starts_with("target.") ? input.name.substr(7) : input.name);
      return found == site.targets.end() ? std::nullopt : std::optional<TableValue>(found->second);
    }
    case InputOrigin::Fact: {
      const Located<FactValue>& fact = workload.fact(input.name);
      return fact.known() ? std::optional(value_of(fact.value)) : std::nullopt;
    }
    case InputOrigin::Site: {
      const auto found = site.facts.find(input.name);
      return found == site.facts.end() ? std::nullopt : parse_value(input.type, found->second);
    }
  }
  return std::nullopt;
}

Box known_box(const Space& space, const Workload& workload, const Site& site) {
  Box box = space.whole();
  for (const Space::TableBoxes& boxes : space.tables()) {
    for (std::size_t i = 0; i < boxes.inputs.size(); ++i) {
      const TableInput& input = boxes.table->inputs[i];
      const std::optional<TableValue> value = known_value(input, workload, site);
      const std::optional<std::size_t> cell = value ? space.dimension(boxes.inputs[i]).cell_of(*value) : std::nullopt;
      if (cell) space.layout().only(box, boxes.inputs[i], *cell);
    }
  }
  return box;
}

Evaluation::Evaluation(const RuleBook& book, Box start)
    : book_(book), space_(book.space()), start_(std::move(start)), budget_(kDecisionBudget), map_(space_, budget_) {
  for (std::size_t d = 0; d < space_.size(); ++d) {
    if (space_.dimension(d).table() != nullptr) outputs_.push_back(d);
  }
}

std::vector<Region> Evaluation::regions(const Table& table, const RowFilter& filter) {
  const std::size_t index = space_.index_of(table);
  return map_.split_one(map_.before(index, start_), index, filter);
}

const std::vector<Region>& Evaluation::regions(const Table& table) {
  const auto found = regions_.find(table.id);
  if (found != regions_.end()) return found->second;
  return regions_[table.id] = regions(table, {});
}

Choice Evaluation::output(const Table& table, const std::string& output) {
  return choose(table, regions(table), [&](const Region& region) {
    return std::pair(region.hits.back()->then.at(output), region.hits.back());
  });
}

Choice Evaluation::level(const Table& table, const std::string& item) {
  const std::string& name = table.outputs[0].name;
  const std::vector<Region> parts = regions(table, [&](const TableRow& row) { return row.then.at(name) == item; });
  return choose(table, parts, [&](const Region& region) -> std::pair<std::string, const TableRow*> {
    for (const TableRow* row : region.hits) {
      const bool own = row >= table.rows.data() && row < table.rows.data() + table.rows.size();
      if (own) return {table.outputs.size() > 1 ? row->then.at(table.outputs[1].name) : "required", row};
    }
    return {"none", nullptr};
  });
}

/// The choice over a value that each region has, with its row.
Choice Evaluation::choose(const Table& table, const std::vector<Region>& regions, const ValueOf& value_of) {
  std::vector<std::string> values;
  const TableRow* row = nullptr;
  for (const Region& region : regions) {
    const auto [value, hit] = value_of(region);
    values.push_back(value);
    if (row == nullptr) row = hit;
  }
  Choice choice;
  choice.reversibility = table.reversibility;
  const std::set<std::string> distinct(values.begin(), values.end());
  if (distinct.size() == 1) {
    choice.value = *distinct.begin();
    if (row != nullptr) {
      choice.because = row->because;
      choice.rule = table.id + "/" + row->id;
    }
    return choice;
  }
  choice.possible.assign(distinct.begin(), distinct.end());
  choice.unknown = deciding(regions, values);
  return choice;
}

/// A fact decides where changing it alone changes the value. Without any value a fact lies outside of what tables know.
std::vector<std::string> Evaluation::deciding(const std::vector<Region>& regions,
                                              const std::vector<std::string>& values) {
  std::set<std::string> out;
  const Layout& layout = space_.layout();
  // Where neither region asks for `d`, changing it leads from neither into the other.
  const auto asks = [&](const Region& region, std::size_t d) {
    return layout.outside(start_, region.box, d) ||
           std::ranges::any_of(region.without, [&](const Box* other) { return layout.outside(start_, *other, d); });
  };
  // A step leaves every fact but one alone: regions that share no value of two facts are more than a step apart.
  Box outputs(layout.words());
  for (const std::size_t d : outputs_) layout.fill(outputs, d);
  std::vector<std::pair<std::size_t, std::size_t>> near;
  for (std::size_t a = 0; a < regions.size(); ++a) {
    for (std::size_t b = a + 1; b < regions.size(); ++b) {
      if (values[a] != values[b] && layout.count_apart(regions[a].box, regions[b].box, outputs) < 2)
        near.emplace_back(a, b);
    }
  }
  for (std::size_t d = 0; d < space_.size(); ++d) {
    if (space_.dimension(d).table() != nullptr) continue;
    Box open = outputs;
    layout.fill(open, d);
    std::vector<bool> asked;
    for (const Region& region : regions) asked.push_back(layout.count(start_, d) > 1 && asks(region, d));
    if (!regions.empty() && std::ranges::find(asked, true) == asked.end()) continue;
    bool decides = regions.empty() && space_.layout().count(start_, d) == 1 &&
                   std::ranges::any_of(space_.tables(), [&](const Space::TableBoxes& boxes) {
                     return !space_.layout().has(boxes.domain, d, space_.layout().lowest(start_, d));
                   });
    for (std::size_t n = 0; n < near.size() && !decides; ++n) {
      const auto& [a, b] = near[n];
      decides = (asked[a] || asked[b]) && layout.count_apart(regions[a].box, regions[b].box, open) == 0 &&
                map_.step(regions[a], regions[b], d, outputs_).has_value();
    }
    if (decides) out.insert(space_.dimension(d).name());
  }
  return {out.begin(), out.end()};
}

}  // namespace muster
