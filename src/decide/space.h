#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/workload.h"
#include "rulebook/box.h"
#include "rulebook/table.h"

namespace muster {

/// The facts that tables read, each cut into cells within which no row can tell two values apart.
class FactSpace {
 public:
  explicit FactSpace(const std::vector<Table>& tables);

  std::size_t dimensions() const { return dimensions_.size(); }
  const std::string& name(std::size_t d) const { return dimensions_[d].name; }
  /// Every cell of every dimension.
  Box whole() const;
  /// The cells that a workload's known facts leave.
  Box of(const Workload& workload) const;
  /// The cells a row allows, as far as it speaks of facts; its words on other tables' outputs are not looked at.
  Box of(const Table& table, const TableRow& row) const;

 private:
  struct Dimension {
    std::string name;
    FactType type;
    std::vector<std::string> words;   ///< of a bool or enum: one cell each
    std::vector<std::int64_t> cuts;   ///< of an int: each begins a cell; the first is the least value
  };
  std::size_t index_of(const std::string& name) const;
  std::uint64_t cells_of(const Dimension& dimension, const Cell& cell) const;

  std::vector<Dimension> dimensions_;  ///< sorted by name
};

}  // namespace muster
