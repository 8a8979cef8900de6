#pragma once

#include <map>
#include <string>
#include <vector>

#include "rulebook/box.h"
#include "rulebook/table.h"

namespace muster {

/// A value that something besides the tables compares an input with; it cuts, too.
struct Cut {
  std::string name;
  Cell cell;
};

/// One thing tables look at, cut into cells within which nothing can tell two values apart.
class Dimension {
 public:
  Dimension(std::string name, InputType type) : name_(std::move(name)), type_(type) {}

  void add_words(const std::vector<std::string>& words);
  void add(const Cell& cell);
  void add_edge(const std::optional<TableValue>& value);
  void set_output_of(const Table& table) { table_ = &table; }
  void finish();

  const std::string& name() const { return name_; }
  InputType type() const { return type_; }
  /// The table whose output it is; none: a fact.
  const Table* table() const { return table_; }
  std::size_t cells() const { return samples_.size(); }
  /// A value in a cell, as plain as there is.
  const TableValue& sample(std::size_t cell) const { return samples_[cell]; }
  /// The first value behind a cell of an order; nothing behind the last one.
  std::optional<TableValue> end_of(std::size_t cell) const;
  /// The cell of a value, if it is one that the dimension can have.
  std::optional<std::size_t> cell_of(const TableValue& value) const;

 private:
  void finish_words();
  void finish_order();
  TableValue sample_between(const TableValue& begin, const TableValue* end) const;

  std::string name_;
  InputType type_;
  const Table* table_ = nullptr;
  std::vector<TableValue> edges_;    ///< of an order: a cell begins at each
  std::vector<TableValue> plain_;    ///< of those, the ones that were written
  std::vector<TableValue> samples_;  ///< words: the words; a string has one more for all others
};

/// Everything that tables read and decide, with each row as a box.
class Space {
 public:
  Space(const std::vector<Table>& tables, const std::vector<Cut>& cuts);

  const Layout& layout() const { return layout_; }
  std::size_t size() const { return dimensions_.size(); }
  const Dimension& dimension(std::size_t d) const { return dimensions_[d]; }
  std::optional<std::size_t> find(std::string_view name) const;

  /// What is known of a table, by its place among the tables.
  struct TableBoxes {
    const Table* table = nullptr;
    Box domain;  ///< the values its inputs can have
    std::vector<Box> rows;
    std::vector<std::size_t> outputs;  ///< dimensions of its outputs; none when it collects
    std::vector<std::size_t> inputs;   ///< dimensions of its inputs, in their order
    std::vector<std::size_t> feeders;  ///< tables that it reads, directly or not, in feeding order
  };
  const std::vector<TableBoxes>& tables() const { return tables_; }
  const TableBoxes& of(const Table& table) const;
  std::size_t index_of(const Table& table) const;
  Box whole() const { return layout_.whole(); }
  /// The values that some table lets its facts have.
  const Box& possible() const { return possible_; }
  /// The values a cell allows of one dimension, all of the others.
  void restrict(Box& box, std::size_t d, const Cell& cell) const;

 private:
  void add_dimensions(const Table& table);
  TableBoxes boxes_of(const Table& table) const;
  Box domain_of(const Table& table) const;

  std::vector<Dimension> dimensions_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  Layout layout_;
  std::vector<TableBoxes> tables_;
  Box possible_;
};

}  // namespace muster
