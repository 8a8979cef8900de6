#include "decide/space.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace muster {
namespace {

std::uint64_t all_cells(std::size_t count) {
  return count >= kMaxCells ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << count) - 1;
}

}  // namespace

FactSpace::FactSpace(const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    for (const TableInput& input : table.inputs) {
      if (!input.from.empty()) continue;
      auto found = std::ranges::find(dimensions_, input.name, &Dimension::name);
      if (found == dimensions_.end()) {
        const std::int64_t least = workload_facts()[*workload_fact_index(input.name)].minimum;
        dimensions_.push_back({input.name, input.type, input.words, {least}});
        found = dimensions_.end() - 1;
      }
      for (const TableRow& row : table.rows) {
        const auto cell = row.when.find(input.name);
        if (cell == row.when.end() || cell->second.kind != Cell::Kind::Range) continue;
        if (cell->second.low) found->cuts.push_back(*cell->second.low);
        if (cell->second.high) found->cuts.push_back(*cell->second.high + 1);
      }
    }
  }
  std::ranges::sort(dimensions_, {}, &Dimension::name);
  for (Dimension& dimension : dimensions_) {
    const std::int64_t least = dimension.cuts.front();
    std::erase_if(dimension.cuts, [&](std::int64_t cut) { return cut < least; });
    std::ranges::sort(dimension.cuts);
    dimension.cuts.erase(std::unique(dimension.cuts.begin(), dimension.cuts.end()), dimension.cuts.end());
    MUSTER_CHECK(dimension.cuts.size() <= kMaxCells && dimension.words.size() <= kMaxCells, "a fact has more cells than a box holds");
  }
}

std::size_t FactSpace::index_of(const std::string& name) const {
  const auto found = std::ranges::lower_bound(dimensions_, name, {}, &Dimension::name);
  MUSTER_CHECK(found != dimensions_.end() && found->name == name, "a row reads a fact that its table does not list");
  return static_cast<std::size_t>(found - dimensions_.begin());
}

Box FactSpace::whole() const {
  Box box;
  for (const Dimension& dimension : dimensions_) {
    box.push_back(all_cells(dimension.type == FactType::Int ? dimension.cuts.size() : dimension.words.size()));
  }
  return box;
}

Box FactSpace::of(const Workload& workload) const {
  Box box = whole();
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const Dimension& dimension = dimensions_[d];
    const Located<FactValue>& fact = workload.fact(dimension.name);
    if (!fact.known()) continue;
    if (dimension.type == FactType::Int) {
      const std::int64_t value = std::get<std::int64_t>(fact.value);
      const auto above = std::ranges::upper_bound(dimension.cuts, value);
      box[d] = std::uint64_t{1} << (above - dimension.cuts.begin() - 1);
    } else {
      const std::string word = dimension.type == FactType::Bool ? (std::get<bool>(fact.value) ? "true" : "false") : std::get<std::string>(fact.value);
      const auto found = std::ranges::find(dimension.words, word);
      if (found != dimension.words.end()) box[d] = std::uint64_t{1} << (found - dimension.words.begin());
    }
  }
  return box;
}

std::uint64_t FactSpace::cells_of(const Dimension& dimension, const Cell& cell) const {
  std::uint64_t cells = 0;
  if (cell.kind == Cell::Kind::Range) {
    for (std::size_t i = 0; i < dimension.cuts.size(); ++i) {
      const bool inside = (!cell.low || dimension.cuts[i] >= *cell.low) && (!cell.high || dimension.cuts[i] <= *cell.high);
      if (inside) cells |= std::uint64_t{1} << i;
    }
    return cells;
  }
  for (std::size_t i = 0; i < dimension.words.size(); ++i) {
    const bool named = std::ranges::find(cell.words, dimension.words[i]) != cell.words.end();
    if (named == (cell.kind == Cell::Kind::Words)) cells |= std::uint64_t{1} << i;
  }
  return cells;
}

Box FactSpace::of(const Table& table, const TableRow& row) const {
  Box box = whole();
  for (const auto& [name, cell] : row.when) {
    if (!table.find_input(name)->from.empty()) continue;
    const std::size_t d = index_of(name);
    box[d] = cells_of(dimensions_[d], cell);
  }
  return box;
}

}  // namespace muster
