#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "expr/evaluator.h"

namespace muster {

using Kind = Value::Kind;

Value Evaluator::eval(std::uint32_t index) {
  const AstNode& node = ast_.nodes[index];
  ++context_.steps;
  if (exhausted(context_)) [[unlikely]]
    return exhausted_at(node);
  switch (node.op) {
    case Op::Literal: return node.literal;
    case Op::Ident: return context_.slots[node.slot];
    case Op::Select: {
      Value made;
      return select(node, look(node.children[0], made));
    }
    case Op::OptionalSelect: return optional_select(node, eval(node.children[0]));
    case Op::Index: return subscript(node);
    case Op::OptionalIndex: return optional_subscript(node);
    case Op::Has: return has(node);
    case Op::Call: return call(node);
    case Op::List: return list(node);
    case Op::Map: return map(node);
    case Op::Not:
    case Op::Negate: return unary(node, eval(node.children[0]));
    case Op::And: return logical(node, false);
    case Op::Or: return logical(node, true);
    case Op::Conditional: return conditional(node);
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::In:
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::Divide:
    case Op::Modulo: {
      Value left;
      Value right;
      const Value& a = look(node.children[0], left);
      return apply(node, a, look(node.children[1], right));
    }
    case Op::All: return quantifier(node, false);
    case Op::Exists: return quantifier(node, true);
    case Op::ExistsOne: return exists_one(node);
    case Op::MapEach:
    case Op::Filter: return transform(node);
    case Op::TransformMap:
    case Op::TransformMapEntry: return transform_map(node);
    case Op::SortBy: return sort_by(node);
    case Op::Bind:
    case Op::Block: return bind(node);
    case Op::OptMap:
    case Op::OptFlatMap: return optional_map(node);
    case Op::OptionalOr:
    case Op::OptionalOrValue: return optional_or(node);
    case Op::Fail: return error(node, node.name);
  }
  return Value::null();
}

Value Evaluator::eval_field(std::uint32_t index) {
  const AstNode& node = ast_.nodes[index];
  if (node.op != Op::Select || node.field == nullptr) return eval(index);
  const Value object = eval(node.children[0]);
  if (!object.is(Kind::Object)) return object;
  const Field* field = nullptr;
  return read_field(node, object, field);
}

Value Evaluator::error(const AstNode& node, std::string_view message) {
  return Value::error(context_.read.arena->make(ErrorData{context_.read.arena->copy(message), node.begin, node.end}));
}

void Evaluator::gather(Value& stopped, const Value& value) {
  if (value.stops()) stopped = stopped.stops() ? stopped_by(stopped, value) : value;
}

// --- fields and items ---

Value Evaluator::no_items(const AstNode& node, const Value& object) {
  const bool field = node.op == Op::Select || node.op == Op::OptionalSelect;
  // The specification's word for a field of what has none, as in `null.name`.
  if (field)
    return error(node, "no such key: a value of type " + std::string(name_of(object.kind())) + " has no fields");
  return error(node, "no such overload: a value of type " + std::string(name_of(object.kind())) + " has no items");
}

namespace {

/// The field the checker found, unless a gradual check was wrong about the object's type.
const Field* field_of(const AstNode& node, const ObjectType& type) {
  const Field* known = node.field;
  const bool ours = known != nullptr && !std::less<>()(known, type.fields.data()) &&
                    std::less<>()(known, type.fields.data() + type.fields.size());
  return ours ? known : type.find(node.name);
}

}  // namespace

/// The field's value, absent or not, with the field; an error when the object has no such field.
Value Evaluator::read_field(const AstNode& node, const Value& object, const Field*& field) {
  field = field_of(node, *object.object_type());
  if (field == nullptr)
    return error(node, "no such field: a " + std::string(object.object_type()->name) + " has no `" + node.name + "`");
  ObjectBlock* const block = context_.block;
  if (block != nullptr && block->data(context_.in_block) == object.object_data()) {
    const Value* const values = block->column(field, ObjectSet{1} << context_.in_block, context_.read);
    if (values != nullptr) return values[context_.in_block];
  }
  return field->read(object.object_data(), context_.read);
}

Value Evaluator::select(const AstNode& node, const Value& object) {
  if (object.is(Kind::Object)) {
    const Field* field = nullptr;
    const Value value = read_field(node, object, field);
    return value.is(Kind::Absent) ? error(node, "`" + node.name + "` is absent").with_origin(value.origin()) : value;
  }
  if (object.stops()) return object;
  if (object.is(Kind::Map)) return find_key(node, object.as_map(), Value::of(std::string_view(node.name)));
  if (object.is(Kind::Optional)) return optional_select(node, object);
  return no_items(node, object);
}

Value Evaluator::find_key(const AstNode& node, const MapData& map, const Value& key) {
  const Value* value = find_entry(map, key, context_);
  return value != nullptr ? *value : error(node, "no such key: " + to_literal(key));
}

Value Evaluator::some(const AstNode& node, const Value& value) {
  return value.stops() ? value : placed(node, make_optional(value, context_));
}

Value Evaluator::optional_select(const AstNode& node, Value object) {
  if (object.stops()) return object;
  if (object.is(Kind::Optional)) {
    if (object.as_optional() == nullptr) return object;
    object = *object.as_optional();
  }
  if (object.is(Kind::Object)) {
    const Field* field = nullptr;
    const Value value = read_field(node, object, field);
    return value.is(Kind::Absent) ? Value::optional(nullptr) : some(node, value);
  }
  if (!object.is(Kind::Map)) return no_items(node, object);
  const Value* value = find_entry(object.as_map(), Value::of(std::string_view(node.name)), context_);
  return value == nullptr ? Value::optional(nullptr) : some(node, *value);
}

namespace {

/// The position an int, uint or whole double names; nullopt when it is none.
std::optional<std::int64_t> position(const Value& index) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (index.is(Kind::Int)) return index.as_int();
  if (index.is(Kind::Uint)) return static_cast<std::int64_t>(std::min(index.as_uint(), kLargest));
  if (!index.is(Kind::Double)) return std::nullopt;
  const double number = index.as_double();
  const bool whole = std::floor(number) == number && std::fabs(number) < 9e15;
  return whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

}  // namespace

Value Evaluator::subscript(const AstNode& node) {
  const Value object = eval(node.children[0]);
  const Value index = eval(node.children[1]);
  if (object.stops() || index.stops()) return stopped_by(object, index);
  if (object.is(Kind::Optional)) return optional_item(node, object, index);
  if (object.is(Kind::Map)) return find_key(node, object.as_map(), index);
  if (!object.is(Kind::List)) return no_items(node, object);
  const std::optional<std::int64_t> at = position(index);
  if (!at) return error(node, "invalid_argument: a list is indexed by a whole number, got " + to_literal(index));
  const ListData& list = object.as_list();
  if (*at >= 0 && static_cast<std::size_t>(*at) < list.size) return list.at(list.base, static_cast<std::size_t>(*at));
  return error(node,
               "invalid_argument: index " + std::to_string(*at) + " is outside a list of " + std::to_string(list.size));
}

Value Evaluator::optional_subscript(const AstNode& node) {
  const Value object = eval(node.children[0]);
  const Value index = eval(node.children[1]);
  if (object.stops() || index.stops()) return stopped_by(object, index);
  return optional_item(node, object, index);
}

Value Evaluator::optional_item(const AstNode& node, Value object, const Value& index) {
  if (object.is(Kind::Optional)) {
    if (object.as_optional() == nullptr) return object;
    object = *object.as_optional();
  }
  if (object.is(Kind::Map)) {
    const Value* value = find_entry(object.as_map(), index, context_);
    return value == nullptr ? Value::optional(nullptr) : some(node, *value);
  }
  if (!object.is(Kind::List)) return no_items(node, object);
  const std::optional<std::int64_t> at = position(index);
  if (!at) return error(node, "invalid_argument: a list is indexed by a whole number, got " + to_literal(index));
  const ListData& list = object.as_list();
  if (*at < 0 || static_cast<std::size_t>(*at) >= list.size) return Value::optional(nullptr);
  return some(node, list.at(list.base, static_cast<std::size_t>(*at)));
}

Value Evaluator::has(const AstNode& node) {
  const AstNode& field = ast_.nodes[node.children[0]];
  Value made;
  const Value& object = look(field.children[0], made);
  if (object.is(Kind::Object)) {
    const Field* known = nullptr;
    const Value value = read_field(field, object, known);
    // An unknown field is there: somebody decides its value.
    return known == nullptr ? value : Value::of(!value.is(Kind::Absent));
  }
  if (object.stops()) return object;
  if (object.is(Kind::Map)) {
    const Value* value = find_entry(object.as_map(), Value::of(std::string_view(field.name)), context_);
    if (value == nullptr) return Value::of(false);
    if (!value->stops() && nesting(*value) < kMaxNesting) return Value::of(true);
  }
  const Value found = optional_select(field, object);
  return found.is(Kind::Error) ? found : Value::of(found.is(Kind::Unknown) || found.as_optional() != nullptr);
}

// --- calls and literals ---

Value Evaluator::call(const AstNode& node) {
  std::array<Value, 4> few;
  const std::size_t count = node.children.size();
  const std::span<Value> arguments =
      count <= few.size() ? std::span(few).first(count) : context_.read.arena->make_array<Value>(count);
  Value stopped = Value::null();
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = eval(node.children[i]);
    gather(stopped, arguments[i]);
    // What is unknown within a list decides whatever a function computes of it; only its size and type are known.
    if (is_partial(arguments[i]) && node.name != "size" && node.name != "type" && node.name != "dyn" &&
        !node.name.starts_with("optional.")) {
      gather(stopped, unknown_within(arguments[i], context_));
    }
  }
  if (stopped.stops()) return stopped;
  constexpr std::size_t kTextStep = 64;  // characters that a function reads in the time of a node
  for (const Value& argument : arguments) {
    if (argument.is(Kind::String)) context_.steps += argument.as_text().size() / kTextStep;
  }
  if (exhausted(context_)) [[unlikely]]
    return exhausted_at(node);
  context_.pattern = node.regex;
  const Value value = placed(node, node.function->call(arguments, context_));
  return exhausted(context_) && !value.stops() ? exhausted_at(node) : value;
}

/// The value of an entry written with `?`: nothing when it is optional.none().
Value Evaluator::unwrap(const AstNode& node, const Value& value, bool& skip) {
  if (value.stops()) return value;
  if (!value.is(Kind::Optional))
    return error(node, "no such overload: `?` wants an optional value, got " + std::string(name_of(value.kind())));
  skip = value.as_optional() == nullptr;
  return skip ? Value::null() : *value.as_optional();
}

Value Evaluator::list(const AstNode& node) {
  const std::span<Value> values = context_.read.arena->make_array<Value>(node.children.size());
  std::size_t count = 0;
  Value stopped = Value::null();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Value value = eval(node.children[i]);
    bool skip = false;
    if (node.optional[i]) value = unwrap(node, value, skip);
    if (skip) continue;
    gather(stopped, value);
    values[count++] = value;
  }
  return stopped.stops() ? stopped : placed(node, make_list(values.first(count), context_));
}

Value Evaluator::map(const AstNode& node) {
  const std::span<MapEntry> entries = context_.read.arena->make_array<MapEntry>(node.children.size() / 2);
  std::size_t count = 0;
  Value stopped = Value::null();
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Value key = eval(node.children[i]);
    Value value = eval(node.children[i + 1]);
    bool skip = false;
    if (node.optional[i / 2]) value = unwrap(node, value, skip);
    gather(stopped, key);
    gather(stopped, value);
    if (!stopped.stops() && !skip) entries[count++] = {key, value};
  }
  return stopped.stops() ? stopped : placed(node, make_map(entries.first(count), context_));
}

Value Expr::eval(EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  return Evaluator(*ast_, context).eval(ast_->root);
}

namespace {

Span place_of(const Value& value) {
  if (value.origin() != nullptr && value.origin()->where.placed()) return value.origin()->where;
  if (value.is(Kind::Object) && value.object_type()->where != nullptr)
    return value.object_type()->where(value.object_data());
  return {};
}

/// Where an item stands for which a `LIST.exists(...)` outside of other macros holds.
Span item_of(const Ast& ast, std::uint32_t index, std::string_view list, EvalContext& context) {
  const AstNode& node = ast.nodes[index];
  if (node.op == Op::Exists) {
    const AstNode& range = ast.nodes[node.children[0]];
    if (std::string_view(ast.text).substr(range.begin, range.end - range.begin) != list) return {};
    return place_of(Evaluator(ast, context).witness(node));
  }
  if (node.op != Op::And && node.op != Op::Or) return {};
  for (const std::uint32_t child : node.children) {
    const Span found = item_of(ast, child, list, context);
    if (found.placed()) return found;
  }
  return {};
}

}  // namespace

Span Expr::place(EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  return place_of(Evaluator(*ast_, context).eval_field(ast_->root));
}

Span Expr::witness_in(std::string_view list, EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  return item_of(*ast_, ast_->root, list, context);
}

}  // namespace muster
