#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "facts/object_type.h"
#include "facts/site_facts.h"
#include "model/workload.h"
#include "rulebook/rule_book.h"

namespace muster {

/// What a workload or the targets say about an input; nothing while it is unknown.
std::optional<TableValue> known_value(const TableInput& input, const Workload& workload, const Site& site);

/// The cells that the known facts of a workload leave.
Box known_box(const Space& space, const Workload& workload, const Site& site);

/// Tables over all values that open facts could have.
class Evaluation {
 public:
  Evaluation(const RuleBook& book, Box start);

  const Box& start() const { return start_; }
  const RuleBook& book() const { return book_; }
  Cartographer& map() { return map_; }
  /// The parts of the start by what a table and those that feed it decide.
  const std::vector<Region>& regions(const Table& table);
  /// The same for the rows of a collecting table that a question is about.
  std::vector<Region> regions(const Table& table, const RowFilter& filter);

  /// An output of a table.
  Choice output(const Table& table, const std::string& output);
  /// The level of an item of the collecting table: its second output; `none` where no row gives it.
  Choice level(const Table& table, const std::string& item);

 private:
  using ValueOf = std::function<std::pair<std::string, const TableRow*>(const Region& region)>;
  Choice choose(const Table& table, const std::vector<Region>& regions, const ValueOf& value_of);
  std::vector<std::string> deciding(const std::vector<Region>& regions, const std::vector<std::string>& values);

  const RuleBook& book_;
  const Space& space_;
  Box start_;
  Budget budget_;
  Cartographer map_;
  std::map<std::string, std::vector<Region>> regions_;
  std::vector<std::size_t> outputs_;  ///< all dimensions that are outputs
};

}  // namespace muster
