#include "rulebook/space.h"

#include <algorithm>

#include "base/check.h"
#include "model/workload.h"

namespace muster {

Space::Space(const std::vector<Table>& tables, const std::vector<Cut>& cuts) {
  for (const Table& table : tables) add_dimensions(table);
  for (const Cut& cut : cuts) {
    if (const std::optional<std::size_t> d = find(cut.name)) dimensions_[*d].add(cut.cell);
  }
  std::vector<std::size_t> cells;
  for (Dimension& dimension : dimensions_) {
    dimension.finish();
    cells.push_back(dimension.cells());
  }
  layout_ = Layout(cells);
  for (const Table& table : tables) tables_.push_back(boxes_of(table));
  possible_ = layout_.whole();
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].table() == nullptr) layout_.clear(possible_, d);
  }
  for (const TableBoxes& table : tables_) {
    for (const std::size_t d : table.inputs) {
      for (const std::size_t cell : layout_.cells_of(table.domain, d)) layout_.add(possible_, d, cell);
    }
  }
}

void Space::add_dimensions(const Table& table) {
  const auto add = [&](const std::string& name, InputType type) -> Dimension& {
    const auto [place, added] = by_name_.emplace(name, dimensions_.size());
    if (added) dimensions_.emplace_back(name, type);
    return dimensions_[place->second];
  };
  for (const TableInput& input : table.inputs) {
    // A text that a table lists as an enum can be anything else as well.
    const bool open = input.origin == InputOrigin::Fact && input.type == InputType::Enum;
    Dimension& dimension = add(input.key(), open ? InputType::String : input.type);
    dimension.add_words(input.words);
    dimension.add_edge(input.min);
    if (input.max) dimension.add_edge(next_after(*input.max));
    for (const TableRow& row : table.rows) {
      const auto cell = row.when.find(input.name);
      if (cell != row.when.end()) dimension.add(cell->second);
    }
  }
  if (table.hit == HitPolicy::Collect) return;
  for (const TableOutput& output : table.outputs) {
    Dimension& dimension = add(table.id + "." + output.name, InputType::Enum);
    dimension.add_words(output.words);
    dimension.set_output_of(table);
  }
}

std::optional<std::size_t> Space::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Space::index_of(const Table& table) const {
  const auto found = std::ranges::find(tables_, table.id, [](const TableBoxes& boxes) { return boxes.table->id; });
  MUSTER_CHECK(found != tables_.end(), "a table was asked of a space that does not have it");
  return static_cast<std::size_t>(found - tables_.begin());
}

const Space::TableBoxes& Space::of(const Table& table) const { return tables_[index_of(table)]; }

void Space::restrict(Box& box, std::size_t d, const Cell& cell) const {
  for (const std::size_t c : layout_.cells_of(box, d)) {
    if (!cell.allows(dimensions_[d].sample(c))) layout_.remove(box, d, c);
  }
}

Box Space::domain_of(const Table& table) const {
  Box box = layout_.whole();
  for (const TableInput& input : table.inputs) {
    const std::size_t d = *find(input.key());
    if (!input.words.empty()) restrict(box, d, Cell{false, input.words, {}, {}, {}});
    if (!input.min && !input.max) continue;
    Range range{input.min, std::nullopt};
    if (input.max) range.end = next_after(*input.max);
    restrict(box, d, Cell{false, {}, {range}, {}, {}});
  }
  return box;
}

Space::TableBoxes Space::boxes_of(const Table& table) const {
  TableBoxes out;
  out.table = &table;
  out.domain = domain_of(table);
  for (const TableInput& input : table.inputs) {
    out.inputs.push_back(*find(input.key()));
    if (input.origin != InputOrigin::Table) continue;
    // Feeders come before what they feed.
    const auto feeder = std::ranges::find(tables_, input.from, [](const TableBoxes& boxes) { return boxes.table->id; });
    MUSTER_CHECK(feeder != tables_.end(), "tables are not in feeding order");
    out.feeders.insert(out.feeders.end(), feeder->feeders.begin(), feeder->feeders.end());
    out.feeders.push_back(static_cast<std::size_t>(feeder - tables_.begin()));
  }
  std::ranges::sort(out.feeders);
  out.feeders.erase(std::unique(out.feeders.begin(), out.feeders.end()), out.feeders.end());
  for (const TableRow& row : table.rows) {
    Box box = layout_.whole();
    for (const auto& [name, cell] : row.when) restrict(box, *find(table.find_input(name)->key()), cell);
    out.rows.push_back(std::move(box));
  }
  if (table.hit == HitPolicy::Collect) return out;
  for (const TableOutput& output : table.outputs) out.outputs.push_back(*find(table.id + "." + output.name));
  return out;
}

}  // namespace muster
