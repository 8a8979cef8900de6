#pragma once

#include <functional>
#include <map>
#include <span>

#include "rulebook/space.h"

namespace muster {

/// A part of the space in which each table that was asked has one outcome: a box less others. It has a point.
/// Dimensions of outputs hold what those tables gave.
struct Region {
  Box box;
  std::vector<const Box*> without;    ///< only boxes that meet `box`
  std::vector<const TableRow*> hits;  ///< of all tables, in feeding order
};

/// Which rows of a collecting table matter to the question.
using RowFilter = std::function<bool(const TableRow& row)>;

/// Splits regions by what tables say. Shares one budget over all of its questions.
class Cartographer {
 public:
  Cartographer(const Space& space, Budget& budget) : space_(space), budget_(budget) {}

  /// The parts of `start` by the outcomes of `tables` (indices, in feeding order). What no row takes is left out,
  /// unless the table collects.
  std::vector<Region> split(const Box& start, const std::vector<std::size_t>& tables);
  /// The parts of all that facts can be by the outcomes of `tables`. Many questions ask the same tables: those that do
  /// not collect are split once.
  std::vector<Region> reachable(const std::vector<std::size_t>& tables, const RowFilter& filter);
  /// The parts in which the tables that feed one have their outcomes, within the domains of all of them.
  std::vector<Region> before(std::size_t table, const Box& start);
  std::vector<Region> split_one(const std::vector<Region>& regions, std::size_t table, const RowFilter& filter = {});

  /// A region cut down to a box; nothing when no point is left.
  std::optional<Region> cut(const Region& region, const Box& box);
  /// Some point of a region that `others` do not touch either.
  std::optional<Box> point(const Region& region, const std::vector<const Box*>& others = {});
  /// Two points, one in each region, that differ in dimension `d` and in `ignored` ones alone: the box they share in
  /// the others and the cell each has in `d`.
  struct Step {
    Box box;
    std::size_t from;
    std::size_t to;
  };
  std::optional<Step> step(const Region& from, const Region& to, std::size_t d,
                           const std::vector<std::size_t>& ignored);

  const Space& space() const { return space_; }
  Budget& budget() { return budget_; }

 private:
  /// The same less boxes that come before it.
  std::optional<Region> cut(const Region& region, const Box& box, std::span<const Box> earlier);
  void first(const Region& region, const Space::TableBoxes& table, std::vector<Region>& out);
  void collect(const Region& region, const Space::TableBoxes& table, const RowFilter& filter, std::vector<Region>& out);

  const Space& space_;
  Budget& budget_;
  std::map<std::vector<std::size_t>, std::vector<Region>> reachable_;  ///< by tables that do not collect
};

}  // namespace muster
