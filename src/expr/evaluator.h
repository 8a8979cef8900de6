#pragma once

#include <string_view>
#include <utility>

#include "expr/expr.h"
#include "expr/functions.h"

namespace muster {

/// Evaluates the nodes of one expression. Included by the files that implement it alone.
class Evaluator {
 public:
  Evaluator(const Ast& ast, EvalContext& context) : ast_(ast), context_(context) {}

  Value eval(std::uint32_t index);
  /// A Select as its field reads it, absent or not: for places.
  Value eval_field(std::uint32_t index);
  /// The first item for which an Exists holds; null where there is none.
  Value witness(const AstNode& node);
  /// The result of a binary operator.
  Value apply(const AstNode& node, const Value& a, const Value& b);

 private:
  /// The value of a node; what names and literals stand for needs no copy, which would go into `made`.
  const Value& look(std::uint32_t index, Value& made) {
    const AstNode& node = ast_.nodes[index];
    const bool named = node.op == Op::Ident;
    if (!named && node.op != Op::Literal) return made = eval(index);
    ++context_.steps;
    return named ? context_.slots[node.slot] : node.literal;
  }
  [[gnu::noinline, gnu::cold]] Value error(const AstNode& node, std::string_view message);
  [[gnu::noinline, gnu::cold]] Value exhausted_at(const AstNode& node) {
    return error(node, "the evaluation takes too long or too much memory");
  }
  /// An error of a function gets the place of its call.
  Value placed(const AstNode& node, const Value& value) {
    return value.is(Value::Kind::Error) ? error(node, value.as_error().message) : value;
  }
  Value stopped_by(const Value& a, const Value& b) { return merge(a, b, context_); }
  /// Keeps what stopped so far and adds `value` if that stops, too.
  void gather(Value& stopped, const Value& value);

  // Fields, items, calls and literals: eval.cc.
  Value select(const AstNode& node, const Value& object);
  Value optional_select(const AstNode& node, Value object);
  Value read_field(const AstNode& node, const Value& object, const Field*& field);
  Value find_key(const AstNode& node, const MapData& map, const Value& key);
  Value optional_key(const MapData& map, const Value& key);
  Value some(const AstNode& node, const Value& value);
  Value subscript(const AstNode& node);
  Value optional_subscript(const AstNode& node);
  Value optional_item(const AstNode& node, Value object, const Value& index);
  Value has(const AstNode& node);
  Value call(const AstNode& node);
  Value list(const AstNode& node);
  Value map(const AstNode& node);
  Value unwrap(const AstNode& node, const Value& value, bool& skip);
  Value no_items(const AstNode& node, const Value& object);

  // Operators: eval_operators.cc.
  Value unary(const AstNode& node, const Value& operand);
  Value logical(const AstNode& node, bool decides);
  Value conditional(const AstNode& node);
  Value equals(const Value& a, const Value& b, bool wanted);
  Value ordered(const AstNode& node, const Value& a, const Value& b);
  Value in(const AstNode& node, const Value& item, const Value& container);
  Value arithmetic(const AstNode& node, const Value& a, const Value& b);
  Value add(const AstNode& node, const Value& a, const Value& b);
  Value integer(const AstNode& node, std::int64_t a, std::int64_t b);
  Value natural(const AstNode& node, std::uint64_t a, std::uint64_t b);
  std::string_view concatenate(std::string_view a, std::string_view b);
  Value append(const AstNode& node, const ListData& a, const ListData& b);

  // Macros: eval_macros.cc.
  template <class Visit>
  Value each(const AstNode& node, Visit visit);
  /// The condition of a macro for the current item: bool, or what stops.
  Value condition(const AstNode& node, std::uint32_t child);
  Value quantifier(const AstNode& node, bool decides);
  Value exists_one(const AstNode& node);
  Value transform(const AstNode& node);
  Value transform_map(const AstNode& node);
  Value sort_by(const AstNode& node);
  Value bind(const AstNode& node);
  Value optional_map(const AstNode& node);
  Value optional_or(const AstNode& node);

  const Ast& ast_;
  EvalContext& context_;
};

}  // namespace muster
