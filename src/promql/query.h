#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::promql {

/// What an expression gives.
enum class Type : std::uint8_t { Scalar, Vector, Range, Text };

/// `and on (pod) group_left (node)` behind an operator.
struct Matching {
  bool on = false;                       ///< otherwise ignoring
  bool grouped = false;                  ///< group_left or group_right
  bool left_is_many = false;             ///< of those the first
  std::vector<std::string_view> labels;  ///< views into the text, without quotes
  std::vector<std::string_view> taken;   ///< labels that group_left and group_right take over
};

/// `pod="a"` within braces.
struct Matcher {
  std::string_view label;
  std::string_view sign;  ///< = != =~ !~
  std::string value;      ///< without quotes and escapes
};

struct Node {
  enum class Kind : std::uint8_t { Number, Text, Selector, Range, Call, Aggregate, Binary, Unary, Brackets };
  Kind kind = Kind::Number;
  Type type = Type::Scalar;
  std::size_t begin = 0;  ///< in the text
  std::size_t end = 0;
  std::string_view word;  ///< name of a metric, a function or an aggregation, an operator, a number; may be empty
  std::vector<std::size_t> parts;  ///< operands and arguments, in nodes of the query
  bool moved = false;              ///< offset or @ is behind it
  std::vector<Matcher> matchers;   ///< of a selector
  bool grouped = false;            ///< an aggregation has by or without
  bool without = false;            ///< of these the second
  std::vector<std::string_view> grouping;
  Matching matching;       ///< of a binary operation
  bool asks_bool = false;  ///< it has `bool`
};

/// Why no release of Prometheus takes an expression, and where.
struct Refusal {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string what;
};

/// An expression of PromQL. With neither a root nor a refusal it is one of a form that only some releases have, or too
/// deep: nothing is known of it.
struct Query {
  std::vector<Node> nodes;
  std::optional<std::size_t> root;
  std::optional<Refusal> refusal;

  const Node& at(std::size_t node) const { return nodes[node]; }
  /// Without the brackets around it.
  const Node& inner(std::size_t node) const;
};

/// Takes what some release from 2.20 to 3.14 takes, with its experimental features. `text` has to outlive the result.
/// Source: prometheus/prometheus:promql/parser (3.14): generated_parser.y, lex.go and checkAST of parse.go.
Query read_query(std::string_view text);

}  // namespace muster::promql
