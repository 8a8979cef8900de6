#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster {

/// A part of a finite space: for each dimension the set of its cells as bits, in the words its layout gives it.
/// Empty when any set is.
using Box = std::vector<std::uint64_t>;

/// How many cells each dimension has and where a box keeps them.
class Layout {
 public:
  Layout() = default;
  explicit Layout(const std::vector<std::size_t>& cells);

  std::size_t dimensions() const { return cells_.size(); }
  std::size_t cells(std::size_t d) const { return cells_[d]; }
  std::size_t words() const { return ones_.size(); }

  Box whole() const;
  bool has(const Box& box, std::size_t d, std::size_t cell) const;
  void add(Box& box, std::size_t d, std::size_t cell) const;
  void remove(Box& box, std::size_t d, std::size_t cell) const;
  void clear(Box& box, std::size_t d) const;
  void fill(Box& box, std::size_t d) const;
  /// Leaves one cell of a dimension.
  void only(Box& box, std::size_t d, std::size_t cell) const;
  /// Cells of `d` that a box has.
  std::vector<std::size_t> cells_of(const Box& box, std::size_t d) const;
  std::size_t count(const Box& box, std::size_t d) const;
  /// The lowest cell of `d`; the box must have one.
  std::size_t lowest(const Box& box, std::size_t d) const;

  /// Whether two boxes share a point.
  bool meet(const Box& a, const Box& b) const;
  bool is_empty(const Box& box) const { return !meet(box, box); }
  /// In how many dimensions two boxes share no cell, where `open` is not full.
  std::size_t count_apart(const Box& a, const Box& b, const Box& open) const;
  /// Dimensions in which `a` has a cell that `b` lacks.
  std::size_t count_outside(const Box& a, const Box& b) const;
  bool outside(const Box& a, const Box& b, std::size_t d) const;
  /// Takes from `a` the cells of `d` that `b` has, or leaves those alone.
  void subtract(Box& a, const Box& b, std::size_t d) const;
  void intersect(Box& a, const Box& b, std::size_t d) const;

 private:
  /// Where the cells of a dimension lie: several share a word; one of 64 cells or more has words of its own and no
  /// mask.
  struct Field {
    std::size_t word;
    std::size_t shift;
    std::uint64_t mask;
  };
  std::size_t word_count(std::size_t d) const;

  std::vector<std::size_t> cells_;
  std::vector<Field> fields_;
  std::vector<std::size_t> wide_;      ///< dimensions with words of their own
  std::vector<std::uint64_t> ones_;    ///< by word: all cells of its fields
  std::vector<std::uint64_t> guards_;  ///< by word: the spare bit above each field
};

Box intersection(const Box& a, const Box& b);
/// Whether every point of `part` is in `box`; `part` is not empty.
bool contains(const Box& box, const Box& part);

/// Bounds a search, so that no table can cost more than it is worth.
class Budget {
 public:
  explicit Budget(std::uint64_t steps) : left_(steps) {}
  /// Takes the cost of a step; false when it is more than what is left.
  bool take(std::uint64_t steps = 1) {
    const bool enough = left_ >= steps;
    left_ = enough ? left_ - steps : 0;
    return enough;
  }
  bool spent() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

/// A part of `box` that none of `others` touches. Nothing when they cover it all; nothing as well when the budget ran
/// out, which the caller asks.
std::optional<Box> find_uncovered(const Layout& layout, const Box& box, std::span<const Box* const> others,
                                  Budget& budget);

}  // namespace muster
