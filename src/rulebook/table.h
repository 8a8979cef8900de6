#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "finding/rule_info.h"
#include "model/workload.h"
#include "source/span.h"

namespace muster {

/// How the rows that match become an outcome.
enum class HitPolicy { Unique, First, Collect };

template <>
struct EnumNames<HitPolicy> {
  static constexpr std::string_view names[] = {"unique", "first", "collect"};
};

/// What a cell of a row allows of one input.
struct Cell {
  enum class Kind { Words, NotWords, Range };
  Kind kind = Kind::Words;
  std::vector<std::string> words;          ///< of a bool (true, false) or an enum
  std::optional<std::int64_t> low;         ///< of an int, both inclusive
  std::optional<std::int64_t> high;
};

/// An input of a table: a fact of the workload, or an output of an earlier table.
struct TableInput {
  std::string name;
  std::string from;                 ///< id of the table whose output it is; empty: a fact
  FactType type = FactType::Bool;   ///< String: an enum
  std::vector<std::string> words;   ///< of an enum
};

struct TableOutput {
  std::string name;
  std::vector<std::string> words;
};

struct TableRow {
  std::string id;
  std::map<std::string, Cell> when;          ///< by input; a missing input matches anything
  std::map<std::string, std::string> then;   ///< by output
  std::vector<std::string> options;          ///< of an add-on: products to choose from
  std::string because;
};

/// A decision table: facts in, decision out, finite. Source: design RULES "A decision table".
struct Table {
  std::string id;
  std::string file;
  HitPolicy hit = HitPolicy::First;
  Reversibility reversibility = Reversibility::Reversible;
  std::vector<TableInput> inputs;
  std::vector<TableOutput> outputs;
  std::vector<TableRow> rows;
  std::string why;
  std::vector<std::string> sources;

  const TableInput* find_input(std::string_view name) const;
  const TableOutput* find_output(std::string_view name) const;
};

}  // namespace muster
