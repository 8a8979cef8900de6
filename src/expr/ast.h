#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "facts/object_type.h"

namespace muster {

struct Function;

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
  Map,             ///< keys and values in turn
  Not,
  Negate,
  And,             ///< of two or more
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
  // Macros: range, body ...; the variable lives in `slot`.
  All,
  Exists,
  ExistsOne,
  MapEach,  ///< range, [filter,] transform
  Filter,
};

/// A node of an expression; children by index into the same vector.
struct AstNode {
  Op op = Op::Literal;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string name;                     ///< identifier, field or function
  std::vector<std::uint32_t> children;
  std::vector<bool> optional;           ///< of a List or Map: entries written with `?`
  bool receiver = false;                ///< of a Call: a.f(b)
  Value literal;
  // Filled in by the checker.
  const Type* type = nullptr;
  const Field* field = nullptr;
  const Function* function = nullptr;
  std::uint32_t slot = 0;               ///< of an Ident or macro variable
};

/// A parsed expression with what its values point at.
struct Ast {
  std::string text;
  std::vector<AstNode> nodes;
  std::uint32_t root = 0;
  std::deque<std::string> strings;  ///< literals
  std::deque<Version> versions;
  std::deque<Type> types;           ///< made by the checker
  std::size_t slots = 0;            ///< variables and those of macros
};

}  // namespace muster
