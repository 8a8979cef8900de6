#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "expr/evaluator.h"

namespace muster {

using Kind = Value::Kind;

namespace {

bool is_nan(const Value& value) { return value.is(Kind::Double) && std::isnan(value.as_double()); }

bool is_time(const Value& value) { return value.is(Kind::Duration) || value.is(Kind::Timestamp); }

bool holds(Op op, bool less, bool same) {
  switch (op) {
    case Op::Equal: return same;
    case Op::NotEqual: return !same;
    case Op::Less: return less;
    case Op::LessEqual: return less || same;
    case Op::Greater: return !less && !same;
    default: return !less;
  }
}

}  // namespace

Value Evaluator::unary(const AstNode& node, const Value& operand) {
  if (operand.stops()) return operand;
  if (node.op == Op::Not && operand.is(Kind::Bool)) return Value::of(!operand.as_bool());
  if (node.op == Op::Negate && operand.is(Kind::Double)) return Value::of(-operand.as_double());
  if (node.op == Op::Negate && operand.is(Kind::Int)) {
    if (operand.as_int() == std::numeric_limits<std::int64_t>::min()) return error(node, "int overflow");
    return Value::of(-operand.as_int());
  }
  return error(node, std::string("no such overload: ") + (node.op == Op::Not ? "!" : "-") +
                         std::string(name_of(operand.kind())));
}

/// && (`decides` false) and || (`decides` true): the side that decides wins over unknown, unknown over error.
Value Evaluator::logical(const AstNode& node, bool decides) {
  Value open = Value::of(!decides);
  for (const std::uint32_t child : node.children) {
    Value value = eval(child);
    if (value.is(Kind::Bool)) {
      if (value.as_bool() == decides) return value;
      continue;
    }
    if (!value.stops())
      value = error(node, "no such overload: && and || want bool, got " + std::string(name_of(value.kind())));
    open = open.stops() ? stopped_by(open, value) : value;
  }
  return open;
}

Value Evaluator::conditional(const AstNode& node) {
  const Value condition = eval(node.children[0]);
  if (condition.stops()) return condition;
  if (!condition.is(Kind::Bool))
    return error(node, "no such overload: a condition must be bool, got " + std::string(name_of(condition.kind())));
  return eval(node.children[condition.as_bool() ? 1 : 2]);
}

Value Evaluator::apply(const AstNode& node, const Value& a, const Value& b) {
  if (a.is(Kind::Int) && b.is(Kind::Int) && node.op >= Op::Equal && node.op <= Op::GreaterEqual) {
    return Value::of(holds(node.op, a.as_int() < b.as_int(), a.as_int() == b.as_int()));
  }
  if (a.stops() || b.stops()) return stopped_by(a, b);
  switch (node.op) {
    case Op::Equal: return equals(a, b, true);
    case Op::NotEqual: return equals(a, b, false);
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: return ordered(node, a, b);
    case Op::In: return in(node, a, b);
    default: return arithmetic(node, a, b);
  }
}

Value Evaluator::equals(const Value& a, const Value& b, bool wanted) {
  const Equality same = equality(a, b);
  if (same != Equality::Open) return Value::of((same == Equality::Yes) == wanted);
  const Value left = unknown_within(a, context_);
  const Value right = unknown_within(b, context_);
  return left.stops() && right.stops() ? stopped_by(left, right) : left.stops() ? left : right;
}

Value Evaluator::ordered(const AstNode& node, const Value& a, const Value& b) {
  const Order order = compare(a, b);
  if (order != Order::Incomparable) return Value::of(holds(node.op, order == Order::Less, order == Order::Equal));
  const auto number = [](const Value& value) {
    return value.is(Kind::Int) || value.is(Kind::Uint) || value.is(Kind::Double);
  };
  if ((is_nan(a) && number(b)) || (is_nan(b) && number(a))) return Value::of(false);
  return error(node, "no such overload: " + std::string(name_of(a.kind())) + " and " + std::string(name_of(b.kind())) +
                         " have no order");
}

Value Evaluator::in(const AstNode& node, const Value& item, const Value& container) {
  if (container.is(Kind::Map)) return Value::of(find_entry(container.as_map(), item, context_) != nullptr);
  if (!container.is(Kind::List))
    return error(node, "no such overload: `in` wants a list or a map, got " + std::string(name_of(container.kind())));
  const ListData& list = container.as_list();
  charge(context_, list.size / 8);
  bool open = false;
  const bool text = item.is(Kind::String);
  for (std::size_t i = 0; i < list.size; ++i) {
    const Value one = list.at(list.base, i);
    if (text && one.is(Kind::String) && one.as_text() != item.as_text()) continue;  // nearly always
    const Equality same = equality(one, item);
    if (same == Equality::Yes) return Value::of(true);
    open = open || same == Equality::Open;
  }
  if (!open) return Value::of(false);
  const Value within = unknown_within(container, context_);
  return within.stops() ? within : unknown_within(item, context_);
}

Value Evaluator::arithmetic(const AstNode& node, const Value& a, const Value& b) {
  if (a.is(Kind::Int) && b.is(Kind::Int)) return integer(node, a.as_int(), b.as_int());
  if (a.is(Kind::Uint) && b.is(Kind::Uint)) return natural(node, a.as_uint(), b.as_uint());
  if (a.is(Kind::Double) && b.is(Kind::Double)) {
    const double x = a.as_double();
    const double y = b.as_double();
    if (node.op == Op::Add) return Value::of(x + y);
    if (node.op == Op::Subtract) return Value::of(x - y);
    if (node.op == Op::Multiply) return Value::of(x * y);
    if (node.op == Op::Divide) return Value::of(x / y);
  }
  if (node.op == Op::Add) return add(node, a, b);
  if (node.op == Op::Subtract && is_time(a) && is_time(b) && (a.is(Kind::Timestamp) || b.is(Kind::Duration))) {
    return placed(node, subtract_times(a, b, context_));
  }
  return error(node, "no such overload: " + std::string(name_of(a.kind())) + " and " + std::string(name_of(b.kind())));
}

Value Evaluator::add(const AstNode& node, const Value& a, const Value& b) {
  if (a.is(Kind::String) && b.is(Kind::String)) return Value::of(concatenate(a.as_text(), b.as_text()));
  if (a.is(Kind::Bytes) && b.is(Kind::Bytes)) return Value::bytes(concatenate(a.as_text(), b.as_text()));
  if (a.is(Kind::List) && b.is(Kind::List)) return append(node, a.as_list(), b.as_list());
  if (a.is(Kind::Quantity) && b.is(Kind::Quantity)) return Value::of(a.as_quantity() + b.as_quantity());
  if (is_time(a) && is_time(b) && (a.is(Kind::Duration) || b.is(Kind::Duration)))
    return placed(node, add_times(a, b, context_));
  return error(node, "no such overload: " + std::string(name_of(a.kind())) + " + " + std::string(name_of(b.kind())));
}

Value Evaluator::integer(const AstNode& node, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  bool overflow = false;
  switch (node.op) {
    case Op::Add: overflow = __builtin_add_overflow(a, b, &out); break;
    case Op::Subtract: overflow = __builtin_sub_overflow(a, b, &out); break;
    case Op::Multiply: overflow = __builtin_mul_overflow(a, b, &out); break;
    default:
      if (b == 0) return error(node, node.op == Op::Divide ? "divide by zero" : "modulus by zero");
      overflow = a == std::numeric_limits<std::int64_t>::min() && b == -1;
      if (!overflow) out = node.op == Op::Divide ? a / b : a % b;
  }
  return overflow ? error(node, "int overflow") : Value::of(out);
}

Value Evaluator::natural(const AstNode& node, std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  bool overflow = false;
  switch (node.op) {
    case Op::Add: overflow = __builtin_add_overflow(a, b, &out); break;
    case Op::Subtract: overflow = __builtin_sub_overflow(a, b, &out); break;
    case Op::Multiply: overflow = __builtin_mul_overflow(a, b, &out); break;
    default:
      if (b == 0) return error(node, node.op == Op::Divide ? "divide by zero" : "modulus by zero");
      out = node.op == Op::Divide ? a / b : a % b;
  }
  return overflow ? error(node, "uint overflow") : Value::of(out);
}

std::string_view Evaluator::concatenate(std::string_view a, std::string_view b) {
  const std::span<char> text = make_text(a.size() + b.size(), context_);
  std::ranges::copy(b, std::ranges::copy(a, text.begin()).out);
  return {text.data(), text.size()};
}

Value Evaluator::append(const AstNode& node, const ListData& a, const ListData& b) {
  const std::span<Value> values = context_.read.arena->make_array<Value>(a.size + b.size);
  for (std::size_t i = 0; i < a.size; ++i) values[i] = a.at(a.base, i);
  for (std::size_t i = 0; i < b.size; ++i) values[a.size + i] = b.at(b.base, i);
  return placed(node, make_list(values, context_));
}

}  // namespace muster
