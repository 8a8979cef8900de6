#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/object_type.h"

namespace muster {

struct Function;

/// A compiled RE2 pattern; defined in functions_regex.cc.
struct Regex;
struct DeleteRegex {
  void operator()(const Regex* regex) const;
};

enum class Op : unsigned char {
  Literal,
  Ident,
  Select,          ///< a.b
  OptionalSelect,  ///< a.?b
  Index,           ///< a[b]
  OptionalIndex,   ///< a[?b]
  Has,             ///< has(a.b): the node is the Select
  Call,            ///< f(a, b) and a.f(b): the receiver is the first argument
  List,
  Map,  ///< keys and values in turn
  Not,
  Negate,
  And,  ///< of two or more
  Or,
  Conditional,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  // Macros over a list or map: range, body ...; the variable lives in `slot`. With two variables the first is the index
  // or key and lives in `slot`, the second is the item or value and lives in `slot + 1`.
  All,
  Exists,
  ExistsOne,
  MapEach,  ///< range, [filter,] transform; transformList, too
  Filter,
  TransformMap,       ///< range, [filter,] value
  TransformMapEntry,  ///< range, [filter,] map of one entry
  SortBy,             ///< range, key
  // Macros that bind a name.
  Bind,             ///< cel.bind(name, value, body): value, body
  Block,            ///< cel.block([a, b ...], body): values, body; they live in `slot` and those behind it
  OptMap,           ///< optional, body
  OptFlatMap,       ///< optional, body
  OptionalOr,       ///< a.or(b)
  OptionalOrValue,  ///< a.orValue(b)
  Fail,             ///< an evaluation error with the text in `name`: what a gradual check leaves open
};

/// A node of an expression; children by index into the same vector.
struct AstNode {
  Op op = Op::Literal;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string name;    ///< identifier, field, function or first macro variable
  std::string second;  ///< second macro variable; empty: the macro has one
  std::vector<std::uint32_t> children;
  std::vector<bool> optional;  ///< of a List or Map: entries written with `?`
  bool receiver = false;       ///< of a Call: a.f(b)
  bool rooted = false;         ///< of an Ident: written `.a`, so that macro variables do not hide it
  Value literal;
  // Filled in by the checker.
  const Type* type = nullptr;
  const Field* field = nullptr;
  const Function* function = nullptr;
  const Regex* regex = nullptr;  ///< of a Call with a literal pattern
  std::uint32_t slot = 0;        ///< of an Ident or macro variable
};

/// A parsed expression with what its values point at. Most of that is empty: a list takes no memory then.
struct Ast {
  std::string text;
  std::vector<AstNode> nodes;
  std::uint32_t root = 0;
  std::list<std::string> strings;  ///< literals
  std::list<Version> versions;
  std::list<Hostlist> hostlists;
  std::list<Type> types;  ///< made by the checker
  std::list<std::unique_ptr<const Regex, DeleteRegex>> regexes;
  std::list<std::vector<Value>> items;  ///< of lists of literals
  std::list<ListData> lists;
  std::size_t slots = 0;  ///< variables and those of macros
};

/// A list as it is written, even where the checker has made its literals one value.
inline bool is_list(const AstNode& node) {
  return node.op == Op::List || (node.op == Op::Literal && node.literal.is(Value::Kind::List));
}

}  // namespace muster
