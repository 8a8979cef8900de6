#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "base/quantity.h"
#include "base/version.h"
#include "source/span.h"

namespace muster {

/// What an input of a table holds. Words: bool, enum, string. Ordered: the rest.
enum class InputType { Bool, Enum, String, Int, Double, Version, Quantity };

template <>
struct EnumNames<InputType> {
  static constexpr std::string_view names[] = {"bool", "enum", "string", "int", "double", "version", "quantity"};
};

bool is_ordered(InputType type);

/// A value of an input: a word (true and false, too) or a point of an order. Those of one input are of one kind.
using TableValue = std::variant<std::string, std::int64_t, double, Version, Quantity>;

std::string to_text(const TableValue& value);
/// A value of that type, as tables, `--set` and JSON write it. Any text is a word.
std::optional<TableValue> parse_value(InputType type, std::string_view text);
/// The least value above; nothing when there is none. Every order is taken as it is stored: an int steps by one, a
/// quantity by a billionth, a version by one in its fourth part, a double to its neighbour.
std::optional<TableValue> next_after(const TableValue& value);

/// A stretch of an order: from its first value to before its end.
struct Range {
  std::optional<TableValue> begin;
  std::optional<TableValue> end;
};

/// What a row allows of one input: `-` is no cell at all.
struct Cell {
  bool negated = false;
  std::vector<std::string> words;
  std::vector<Range> ranges;
  std::string text;  ///< as written
  Span where;

  bool allows(const TableValue& value) const;
};

/// Reads `true`, `!slurm`, `[a, b]`, `4`, `>= 2`, `2..8`, `[1, 4..8]`; `texts` are the items of a list or the one
/// scalar. On an error the message says what was expected.
std::optional<Cell> parse_cell(const std::vector<std::string>& texts, InputType type, std::string& error);

}  // namespace muster
