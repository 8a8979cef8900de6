#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "finding/rule_info.h"
#include "rulebook/table_value.h"

namespace muster {

/// How the rows that match become an outcome.
enum class HitPolicy { Unique, First, Collect };

template <>
struct EnumNames<HitPolicy> {
  static constexpr std::string_view names[] = {"unique", "first", "collect"};
};

/// Where the value of an input comes from.
enum class InputOrigin {
  Fact,    ///< of the workload
  Target,  ///< a version that --target gives
  Table,   ///< an output of an earlier table
  Site,    ///< a fact of the site's own: unknown unless --set gives it
};

struct TableInput {
  std::string name;
  InputOrigin origin = InputOrigin::Fact;
  std::string from;  ///< id of the table whose output it is
  InputType type = InputType::Bool;
  std::vector<std::string> words;  ///< of a bool or enum
  std::optional<TableValue> min;
  std::optional<TableValue> max;
  bool can_change = true;  ///< false: never suggested as "change this"
  Span where;

  /// The name of its values in a space: the fact's, or table.output.
  std::string key() const { return origin == InputOrigin::Table ? from + "." + name : name; }
};

struct TableOutput {
  std::string name;
  std::vector<std::string> words;
  Span where;
};

struct TableRow {
  std::string id;
  std::map<std::string, Cell> when;         ///< by input; a missing input matches anything
  std::map<std::string, std::string> then;  ///< by output
  std::vector<std::string> options;         ///< of an add-on: products to choose from
  std::string because;
  Span where;

  bool same_outcome(const TableRow& other) const { return then == other.then && options == other.options; }
};

/// What must hold wherever facts can lead, over facts and the outputs of all tables.
struct Invariant {
  std::string premise;  ///< as written; empty: always
  std::string conclusion;
  Span where;
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
  std::vector<Invariant> invariants;
  std::string why;
  std::vector<std::string> sources;
  Span where;       ///< of its id
  Span rows_where;  ///< of the key `rows`

  const TableInput* find_input(std::string_view name) const;
  const TableOutput* find_output(std::string_view name) const;
  /// The products of the first row that gives an add-on and names some.
  std::vector<std::string> options_of(const std::string& output, const std::string& word) const;
};

}  // namespace muster
