#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/expr.h"
#include "expr/functions.h"

namespace muster {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMaxMemory = 64u << 20;  // bytes of lists and texts that one evaluation may make

/// Evaluates the nodes of one expression.
class Evaluator {
 public:
  Evaluator(const Ast& ast, EvalContext& context) : ast_(ast), context_(context) {}

  Value eval(std::uint32_t index) {
    const AstNode& node = ast_.nodes[index];
    if (++context_.steps > context_.max_steps) return error(node, "the evaluation takes too long");
    if (context_.read.arena->used() > kMaxMemory) return error(node, "the evaluation takes too much memory");
    switch (node.op) {
      case Op::Literal: return node.literal;
      case Op::Ident: return context_.slots[node.slot];
      case Op::Select: return select(node, eval(node.children[0]));
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
      case Op::Modulo: return binary(node);
      case Op::All: return quantifier(node, false);
      case Op::Exists: return quantifier(node, true);
      case Op::ExistsOne: return exists_one(node);
      case Op::MapEach:
      case Op::Filter: return transform(node);
    }
    return Value::null();
  }

  /// A Select as its field reads it, absent or not: for places.
  Value eval_field(std::uint32_t index) {
    const AstNode& node = ast_.nodes[index];
    if (node.op != Op::Select || node.field == nullptr) return eval(index);
    const Value object = eval(node.children[0]);
    if (!object.is(Kind::Object)) return object;
    return node.field->read(object.object_data(), context_.read);
  }

 private:
  Value error(const AstNode& node, std::string_view message) {
    return Value::error(context_.read.arena->make(ErrorData{context_.read.arena->copy(message), node.begin, node.end}));
  }

  /// Unknown wins over error, and all needs are kept.
  Value merge(const Value& a, const Value& b) {
    if (!a.is(Kind::Unknown)) return b.is(Kind::Unknown) ? b : a.stops() ? a : b;
    if (!b.is(Kind::Unknown)) return a;
    const UnknownNeed* needs = a.needs();
    for (const UnknownNeed* need = b.needs(); need != nullptr; need = need->next) {
      bool there = false;
      for (const UnknownNeed* other = a.needs(); other != nullptr; other = other->next) there = there || other->needs == need->needs;
      if (!there) needs = context_.read.arena->make(UnknownNeed{need->needs, needs});
    }
    return Value::unknown(needs);
  }

  // --- fields and items ---

  Value select(const AstNode& node, const Value& object) {
    if (object.stops()) return object;
    if (object.is(Kind::Optional)) return optional_select(node, object);
    if (object.is(Kind::Object)) {
      const Field* field = node.field != nullptr ? node.field : object.object_type()->find(node.name);
      if (field == nullptr) return error(node, "no such field: " + node.name);
      const Value value = field->read(object.object_data(), context_.read);
      return value.is(Kind::Absent) ? error(node, "`" + node.name + "` is absent").with_origin(value.origin()) : value;
    }
    if (object.is(Kind::Map)) return find_key(node, object.as_map(), Value::of(std::string_view(node.name)));
    return error(node, "no such overload: a " + std::string(name_of(object.kind())) + " has no fields");
  }

  Value find_key(const AstNode& node, const MapData& map, const Value& key) {
    for (const MapEntry& entry : map.entries) {
      if (equal(entry.key, key)) return entry.value;
    }
    return error(node, "no such key: " + to_text(key));
  }

  Value some(const Value& value) {
    if (value.stops()) return value;
    return Value::optional(context_.read.arena->make(Value(value)));
  }

  Value optional_select(const AstNode& node, Value object) {
    if (object.stops()) return object;
    if (object.is(Kind::Optional)) {
      if (object.as_optional() == nullptr) return object;
      object = *object.as_optional();
    }
    if (object.is(Kind::Object)) {
      const Field* field = object.object_type()->find(node.name);
      if (field == nullptr) return error(node, "no such field: " + node.name);
      const Value value = field->read(object.object_data(), context_.read);
      return value.is(Kind::Absent) ? Value::optional(nullptr) : some(value);
    }
    if (!object.is(Kind::Map)) return error(node, "no such overload: a " + std::string(name_of(object.kind())) + " has no fields");
    return optional_key(object.as_map(), Value::of(std::string_view(node.name)));
  }

  Value optional_key(const MapData& map, const Value& key) {
    for (const MapEntry& entry : map.entries) {
      if (equal(entry.key, key)) return some(entry.value);
    }
    return Value::optional(nullptr);
  }

  /// The position an int, uint or whole double names; nullopt when it is none.
  static std::optional<std::int64_t> position(const Value& index) {
    if (index.is(Kind::Int)) return index.as_int();
    if (index.is(Kind::Uint) && index.as_uint() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return static_cast<std::int64_t>(index.as_uint());
    if (index.is(Kind::Double) && std::floor(index.as_double()) == index.as_double() && std::fabs(index.as_double()) < 9e15) return static_cast<std::int64_t>(index.as_double());
    return std::nullopt;
  }

  Value subscript(const AstNode& node) {
    const Value object = eval(node.children[0]);
    const Value index = eval(node.children[1]);
    if (object.stops() || index.stops()) return merge(object, index);
    if (object.is(Kind::Optional)) return optional_item(node, object, index);
    if (object.is(Kind::Map)) return find_key(node, object.as_map(), index);
    if (!object.is(Kind::List)) return error(node, "no such overload: a " + std::string(name_of(object.kind())) + " has no items");
    const std::optional<std::int64_t> at = position(index);
    if (!at) return error(node, "no such overload: a list is indexed by int");
    const ListData& list = object.as_list();
    if (*at < 0 || static_cast<std::size_t>(*at) >= list.size) return error(node, "index out of bounds: " + std::to_string(*at));
    return list.at(list.base, static_cast<std::size_t>(*at));
  }

  Value optional_subscript(const AstNode& node) {
    const Value object = eval(node.children[0]);
    const Value index = eval(node.children[1]);
    if (object.stops() || index.stops()) return merge(object, index);
    return optional_item(node, object, index);
  }

  Value optional_item(const AstNode& node, Value object, const Value& index) {
    if (object.is(Kind::Optional)) {
      if (object.as_optional() == nullptr) return object;
      object = *object.as_optional();
    }
    if (object.is(Kind::Map)) return optional_key(object.as_map(), index);
    if (!object.is(Kind::List)) return error(node, "no such overload: a " + std::string(name_of(object.kind())) + " has no items");
    const std::optional<std::int64_t> at = position(index);
    if (!at) return error(node, "no such overload: a list is indexed by int");
    const ListData& list = object.as_list();
    if (*at < 0 || static_cast<std::size_t>(*at) >= list.size) return Value::optional(nullptr);
    return some(list.at(list.base, static_cast<std::size_t>(*at)));
  }

  Value has(const AstNode& node) {
    const AstNode& field = ast_.nodes[node.children[0]];
    const Value object = eval(field.children[0]);
    if (object.stops()) return object;
    if (object.is(Kind::Object)) {
      const Field* known = field.field != nullptr ? field.field : object.object_type()->find(field.name);
      if (known == nullptr) return error(node, "no such field: " + field.name);
      // An unknown field is there: somebody decides its value.
      return Value::of(!known->read(object.object_data(), context_.read).is(Kind::Absent));
    }
    const Value found = optional_select(field, object);
    return found.stops() && !found.is(Kind::Unknown) ? found : Value::of(found.is(Kind::Unknown) || found.as_optional() != nullptr);
  }

  // --- calls and literals ---

  Value call(const AstNode& node) {
    Value arguments[4];
    Value stop;
    bool stopped = false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      arguments[i] = eval(node.children[i]);
      if (!arguments[i].stops()) continue;
      stop = stopped ? merge(stop, arguments[i]) : arguments[i];
      stopped = true;
    }
    if (stopped) return stop;
    Value result = node.function->call({arguments, node.children.size()}, context_);
    if (!result.is(Kind::Error)) return result;
    return error(node, result.as_error().message);
  }

  Value make_list(std::span<const Value> values) {
    return Value::of(context_.read.arena->make(ListData{
        values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
  }

  /// The value of an entry written with `?`: nothing when it is optional.none().
  Value unwrap(const AstNode& node, const Value& value, bool& skip) {
    skip = false;
    if (value.stops()) return value;
    if (!value.is(Kind::Optional)) return error(node, "`?` wants an optional value");
    skip = value.as_optional() == nullptr;
    return skip ? Value::null() : *value.as_optional();
  }

  Value list(const AstNode& node) {
    const std::span<Value> values = context_.read.arena->make_array<Value>(node.children.size());
    std::size_t count = 0;
    Value stop;
    bool stopped = false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Value value = eval(node.children[i]);
      bool skip = false;
      if (node.optional[i]) value = unwrap(node, value, skip);
      if (skip) continue;
      if (value.stops()) {
        stop = stopped ? merge(stop, value) : value;
        stopped = true;
      }
      values[count++] = value;
    }
    return stopped ? stop : make_list(values.first(count));
  }

  Value map(const AstNode& node) {
    const std::span<MapEntry> entries = context_.read.arena->make_array<MapEntry>(node.children.size() / 2);
    std::size_t count = 0;
    Value stop;
    bool stopped = false;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      const Value key = eval(node.children[i]);
      Value value = eval(node.children[i + 1]);
      bool skip = false;
      if (node.optional[i / 2]) value = unwrap(node, value, skip);
      for (const Value& part : {key, value}) {
        if (!part.stops()) continue;
        stop = stopped ? merge(stop, part) : part;
        stopped = true;
      }
      if (stopped || skip) continue;
      const bool good_key = key.is(Kind::Int) || key.is(Kind::Uint) || key.is(Kind::Bool) || key.is(Kind::String);
      if (!good_key) return error(node, "unsupported key type");
      const auto so_far = entries.first(count);
      if (std::ranges::any_of(so_far, [&](const MapEntry& entry) { return equal(entry.key, key); })) return error(node, "a map has the same key twice");
      entries[count++] = {key, value};
    }
    return stopped ? stop : Value::of(context_.read.arena->make(MapData{entries.first(count)}));
  }

  // --- operators ---

  Value unary(const AstNode& node, const Value& operand) {
    if (operand.stops()) return operand;
    if (node.op == Op::Not && operand.is(Kind::Bool)) return Value::of(!operand.as_bool());
    if (node.op == Op::Negate && operand.is(Kind::Double)) return Value::of(-operand.as_double());
    if (node.op == Op::Negate && operand.is(Kind::Int)) {
      if (operand.as_int() == std::numeric_limits<std::int64_t>::min()) return error(node, "int overflow");
      return Value::of(-operand.as_int());
    }
    return error(node, "no such overload");
  }

  /// && (`decides` false) and || (`decides` true): the side that decides wins over unknown, unknown over error.
  Value logical(const AstNode& node, bool decides) {
    Value open = Value::of(!decides);
    for (const std::uint32_t child : node.children) {
      Value value = eval(child);
      if (value.is(Kind::Bool)) {
        if (value.as_bool() == decides) return value;
        continue;
      }
      if (!value.stops()) value = error(node, "no such overload: && and || want bool");
      open = open.stops() ? merge(open, value) : value;
    }
    return open;
  }

  Value conditional(const AstNode& node) {
    const Value condition = eval(node.children[0]);
    if (condition.stops()) return condition;
    if (!condition.is(Kind::Bool)) return error(node, "no such overload: a condition must be bool");
    return eval(node.children[condition.as_bool() ? 1 : 2]);
  }

  Value binary(const AstNode& node) {
    const Value a = eval(node.children[0]);
    const Value b = eval(node.children[1]);
    if (a.stops() || b.stops()) return merge(a, b);
    switch (node.op) {
      case Op::Equal: return Value::of(equal(a, b));
      case Op::NotEqual: return Value::of(!equal(a, b));
      case Op::Less: return ordered(node, a, b, {Order::Less, Order::Less});
      case Op::LessEqual: return ordered(node, a, b, {Order::Less, Order::Equal});
      case Op::Greater: return ordered(node, a, b, {Order::Greater, Order::Greater});
      case Op::GreaterEqual: return ordered(node, a, b, {Order::Greater, Order::Equal});
      case Op::In: return in(node, a, b);
      default: return arithmetic(node, a, b);
    }
  }

  Value ordered(const AstNode& node, const Value& a, const Value& b, std::pair<Order, Order> wanted) {
    const Order order = compare(a, b);
    const bool nan = (a.is(Kind::Double) && std::isnan(a.as_double())) || (b.is(Kind::Double) && std::isnan(b.as_double()));
    if (order == Order::Incomparable && !nan) return error(node, "no such overload: these cannot be ordered");
    return Value::of(order == wanted.first || order == wanted.second);
  }

  Value in(const AstNode& node, const Value& item, const Value& container) {
    if (container.is(Kind::Map)) {
      return Value::of(std::ranges::any_of(container.as_map().entries, [&](const MapEntry& entry) { return equal(entry.key, item); }));
    }
    if (!container.is(Kind::List)) return error(node, "no such overload: `in` wants a list or a map");
    const ListData& list = container.as_list();
    for (std::size_t i = 0; i < list.size; ++i) {
      if (equal(list.at(list.base, i), item)) return Value::of(true);
    }
    return Value::of(false);
  }

  Value arithmetic(const AstNode& node, const Value& a, const Value& b) {
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
    if (node.op == Op::Add && a.is(Kind::String) && b.is(Kind::String)) return Value::of(concatenate(a.as_text(), b.as_text()));
    if (node.op == Op::Add && a.is(Kind::Bytes) && b.is(Kind::Bytes)) return Value::bytes(concatenate(a.as_text(), b.as_text()));
    if (node.op == Op::Add && a.is(Kind::List) && b.is(Kind::List)) return append(node, a.as_list(), b.as_list());
    if (node.op == Op::Add && a.is(Kind::Quantity) && b.is(Kind::Quantity)) return Value::of(a.as_quantity() + b.as_quantity());
    return error(node, "no such overload: " + std::string(name_of(a.kind())) + " and " + std::string(name_of(b.kind())));
  }

  Value integer(const AstNode& node, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    bool overflow = false;
    switch (node.op) {
      case Op::Add: overflow = __builtin_add_overflow(a, b, &out); break;
      case Op::Subtract: overflow = __builtin_sub_overflow(a, b, &out); break;
      case Op::Multiply: overflow = __builtin_mul_overflow(a, b, &out); break;
      default:
        if (b == 0) return error(node, node.op == Op::Divide ? "division by zero" : "modulus by zero");
        overflow = a == std::numeric_limits<std::int64_t>::min() && b == -1;
        if (!overflow) out = node.op == Op::Divide ? a / b : a % b;
    }
    return overflow ? error(node, "int overflow") : Value::of(out);
  }

  Value natural(const AstNode& node, std::uint64_t a, std::uint64_t b) {
    std::uint64_t out = 0;
    bool overflow = false;
    switch (node.op) {
      case Op::Add: overflow = __builtin_add_overflow(a, b, &out); break;
      case Op::Subtract: overflow = __builtin_sub_overflow(a, b, &out); break;
      case Op::Multiply: overflow = __builtin_mul_overflow(a, b, &out); break;
      default:
        if (b == 0) return error(node, node.op == Op::Divide ? "division by zero" : "modulus by zero");
        out = node.op == Op::Divide ? a / b : a % b;
    }
    return overflow ? error(node, "uint overflow") : Value::of(out);
  }

  std::string_view concatenate(std::string_view a, std::string_view b) {
    return context_.read.arena->copy(std::string(a) + std::string(b));
  }

  Value append(const AstNode& node, const ListData& a, const ListData& b) {
    constexpr std::size_t kMaxItems = 1 << 20;
    if (a.size + b.size > kMaxItems) return error(node, "the list is too long");
    const std::span<Value> values = context_.read.arena->make_array<Value>(a.size + b.size);
    for (std::size_t i = 0; i < a.size; ++i) values[i] = a.at(a.base, i);
    for (std::size_t i = 0; i < b.size; ++i) values[a.size + i] = b.at(b.base, i);
    return make_list(values);
  }

  // --- macros ---

  /// Calls `visit` with each item (list) or key (map) in the macro's slot until it returns false.
  template <class Visit>
  Value each(const AstNode& node, Visit visit) {
    const Value range = eval(node.children[0]);
    if (range.stops()) return range;
    const bool map = range.is(Kind::Map);
    if (!map && !range.is(Kind::List)) return error(node, "no such overload: a macro runs over a list or a map");
    const std::size_t count = map ? range.as_map().entries.size() : range.as_list().size;
    const Value saved = context_.slots[node.slot];
    for (std::size_t i = 0; i < count; ++i) {
      context_.slots[node.slot] = map ? range.as_map().entries[i].key : range.as_list().at(range.as_list().base, i);
      if (!visit(context_.slots[node.slot])) break;
    }
    context_.slots[node.slot] = saved;
    return Value::null();
  }

  Value quantifier(const AstNode& node, bool decides) {
    Value out = Value::of(!decides);
    const Value stop = each(node, [&](const Value&) {
      Value value = eval(node.children[1]);
      if (value.is(Kind::Bool)) {
        if (value.as_bool() != decides) return true;
        out = value;
        return false;
      }
      if (!value.stops()) value = error(node, "no such overload: the condition of a macro must be bool");
      out = out.stops() ? merge(out, value) : value;
      return true;
    });
    return stop.stops() ? stop : out;
  }

  Value exists_one(const AstNode& node) {
    std::size_t count = 0;
    Value stopped = Value::null();
    const Value stop = each(node, [&](const Value&) {
      Value value = eval(node.children[1]);
      if (!value.is(Kind::Bool) && !value.stops()) value = error(node, "no such overload: the condition of a macro must be bool");
      if (value.stops()) {
        stopped = stopped.stops() ? merge(stopped, value) : value;
      } else if (value.as_bool()) {
        ++count;
      }
      return true;
    });
    if (stop.stops()) return stop;
    return stopped.stops() ? stopped : Value::of(count == 1);
  }

  /// filter(x, p), map(x, t) and map(x, p, t).
  Value transform(const AstNode& node) {
    const bool maps = node.op == Op::MapEach;
    const bool filters = node.op == Op::Filter || node.children.size() == 3;
    std::vector<Value> kept;
    Value stopped = Value::null();
    const Value stop = each(node, [&](const Value& item) {
      Value keep = Value::of(true);
      if (filters) keep = eval(node.children[1]);
      if (!keep.is(Kind::Bool) && !keep.stops()) keep = error(node, "no such overload: the condition of a macro must be bool");
      const Value result = keep.stops() || !keep.as_bool() ? keep : maps ? eval(node.children.back()) : item;
      if (result.stops()) {
        stopped = stopped.stops() ? merge(stopped, result) : result;
      } else if (keep.as_bool()) {
        kept.push_back(result);
      }
      return true;
    });
    if (stop.stops()) return stop;
    if (stopped.stops()) return stopped;
    const std::span<Value> values = context_.read.arena->make_array<Value>(kept.size());
    std::ranges::copy(kept, values.begin());
    return make_list(values);
  }

  const Ast& ast_;
  EvalContext& context_;
};

}  // namespace

Value Expr::eval(EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  return Evaluator(*ast_, context).eval(ast_->root);
}

Span Expr::place(EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  const Value value = Evaluator(*ast_, context).eval_field(ast_->root);
  if (value.origin() != nullptr && value.origin()->where.placed()) return value.origin()->where;
  if (value.is(Kind::Object) && value.object_type()->where != nullptr) return value.object_type()->where(value.object_data());
  return {};
}

}  // namespace muster
