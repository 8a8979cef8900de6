#include <algorithm>
#include <string>
#include <vector>

#include "expr/evaluator.h"

namespace muster {

using Kind = Value::Kind;

/// Calls `visit` for each item with the macro's variables set until it returns false. One variable: items of a list,
/// keys of a map. Two: index and item, key and value.
template <class Visit>
Value Evaluator::each(const AstNode& node, Visit visit) {
  const Value range = eval(node.children[0]);
  if (range.stops()) return range;
  const bool map = range.is(Kind::Map);
  if (!map && !range.is(Kind::List))
    return error(node,
                 "no such overload: a macro runs over a list or a map, got " + std::string(name_of(range.kind())));
  const std::size_t count = map ? range.as_map().entries.size() : range.as_list().size;
  const bool two = !node.second.empty();
  for (std::size_t i = 0; i < count; ++i) {
    ++context_.steps;
    if (exhausted(context_)) [[unlikely]]
      return exhausted_at(node);
    const Value item = map ? range.as_map().entries[i].value : range.as_list().at(range.as_list().base, i);
    const Value first = map ? range.as_map().entries[i].key : two ? Value::of(static_cast<std::int64_t>(i)) : item;
    context_.slots[node.slot] = first;
    if (two) context_.slots[node.slot + 1] = item;
    if (!visit(first)) break;
  }
  return Value::null();
}

Value Evaluator::condition(const AstNode& node, std::uint32_t child) {
  const Value value = eval(child);
  if (value.is(Kind::Bool) || value.stops()) return value;
  return error(node,
               "no_such_overload: the condition of a macro must be bool, got " + std::string(name_of(value.kind())));
}

Value Evaluator::quantifier(const AstNode& node, bool decides) {
  Value out = Value::of(!decides);
  const Value stop = each(node, [&](const Value&) {
    const Value value = condition(node, node.children[1]);
    if (value.is(Kind::Bool)) {
      if (value.as_bool() != decides) return true;
      out = value;
      return false;
    }
    out = out.stops() ? stopped_by(out, value) : value;
    return true;
  });
  return stop.stops() ? stop : out;
}

Value Evaluator::witness(const AstNode& node) {
  Value out = Value::null();
  each(node, [&](const Value&) {
    const Value holds = condition(node, node.children[1]);
    const bool found = holds.is(Kind::Bool) && holds.as_bool();
    if (found) out = context_.slots[node.slot + (node.second.empty() ? 0 : 1)];
    return !found;
  });
  return out;
}

Value Evaluator::exists_one(const AstNode& node) {
  std::size_t count = 0;
  Value stopped = Value::null();
  const Value stop = each(node, [&](const Value&) {
    const Value value = condition(node, node.children[1]);
    gather(stopped, value);
    if (value.is(Kind::Bool) && value.as_bool()) ++count;
    return true;
  });
  gather(stopped, stop);
  return stopped.stops() ? stopped : Value::of(count == 1);
}

/// filter(x, p), map(x, t) and map(x, p, t); transformList with two variables.
Value Evaluator::transform(const AstNode& node) {
  const bool maps = node.op == Op::MapEach;
  const bool filters = node.op == Op::Filter || node.children.size() == 3;
  std::vector<Value> kept;
  Value stopped = Value::null();
  const Value stop = each(node, [&](const Value& item) {
    if (filters) {
      const Value keep = condition(node, node.children[1]);
      gather(stopped, keep);
      if (keep.stops() || !keep.as_bool()) return true;
    }
    const Value result = maps ? eval(node.children.back()) : item;
    gather(stopped, result);
    if (!stopped.stops()) kept.push_back(result);
    return true;
  });
  gather(stopped, stop);
  if (stopped.stops()) return stopped;
  const std::span<Value> values = context_.read.arena->make_array<Value>(kept.size());
  std::ranges::copy(kept, values.begin());
  return placed(node, make_list(values, context_));
}

/// transformMap keeps each key; transformMapEntry takes the entry that its body makes.
Value Evaluator::transform_map(const AstNode& node) {
  const bool filters = node.children.size() == 3;
  std::vector<MapEntry> kept;
  Value stopped = Value::null();
  const Value stop = each(node, [&](const Value& key) {
    if (filters) {
      const Value keep = condition(node, node.children[1]);
      gather(stopped, keep);
      if (keep.stops() || !keep.as_bool()) return true;
    }
    const Value result = eval(node.children.back());
    gather(stopped, result);
    if (stopped.stops()) return true;
    if (node.op == Op::TransformMap) {
      kept.push_back({key, result});
    } else if (result.is(Kind::Map)) {
      kept.insert(kept.end(), result.as_map().entries.begin(), result.as_map().entries.end());
    } else {
      gather(stopped, error(node, "no such overload: transformMapEntry wants a map, got " +
                                      std::string(name_of(result.kind()))));
    }
    return true;
  });
  gather(stopped, stop);
  if (stopped.stops()) return stopped;
  const std::span<MapEntry> entries = context_.read.arena->make_array<MapEntry>(kept.size());
  std::ranges::copy(kept, entries.begin());
  return placed(node, make_map(entries, context_));
}

Value Evaluator::sort_by(const AstNode& node) {
  struct Keyed {
    Value key;
    Value item;
  };
  std::vector<Keyed> items;
  Value stopped = Value::null();
  const Value stop = each(node, [&](const Value& item) {
    const Value key = eval(node.children[1]);
    gather(stopped, key);
    if (!stopped.stops() && compare(items.empty() ? key : items.front().key, key) == Order::Incomparable) {
      gather(stopped, error(node, "no such overload: sortBy wants keys of one type that has an order"));
    }
    if (!stopped.stops()) items.push_back({key, item});
    return true;
  });
  gather(stopped, stop);
  if (stopped.stops()) return stopped;
  std::ranges::stable_sort(items, [](const Keyed& a, const Keyed& b) { return compare(a.key, b.key) == Order::Less; });
  const std::span<Value> values = context_.read.arena->make_array<Value>(items.size());
  std::ranges::transform(items, values.begin(), &Keyed::item);
  return placed(node, make_list(values, context_));
}

/// What stops in a bound value stops only where the name is used.
Value Evaluator::bind(const AstNode& node) {
  for (std::size_t i = 0; i + 1 < node.children.size(); ++i) context_.slots[node.slot + i] = eval(node.children[i]);
  return eval(node.children.back());
}

Value Evaluator::optional_map(const AstNode& node) {
  const Value optional = eval(node.children[0]);
  if (optional.stops()) return optional;
  if (!optional.is(Kind::Optional))
    return error(node,
                 "no such overload: optMap wants an optional value, got " + std::string(name_of(optional.kind())));
  if (optional.as_optional() == nullptr) return optional;
  context_.slots[node.slot] = *optional.as_optional();
  const Value result = eval(node.children[1]);
  if (node.op == Op::OptMap) return some(node, result);
  if (result.stops() || result.is(Kind::Optional)) return result;
  return error(node,
               "no such overload: optFlatMap wants an optional result, got " + std::string(name_of(result.kind())));
}

/// The other side is only evaluated when there is no value.
Value Evaluator::optional_or(const AstNode& node) {
  const Value optional = eval(node.children[0]);
  if (optional.stops()) return optional;
  if (!optional.is(Kind::Optional))
    return error(node, "no such overload: " + node.name + " wants an optional value, got " +
                           std::string(name_of(optional.kind())));
  const bool value = node.op == Op::OptionalOrValue;
  if (optional.as_optional() != nullptr) return value ? *optional.as_optional() : optional;
  const Value other = eval(node.children[1]);
  if (value || other.stops() || other.is(Kind::Optional)) return other;
  return error(node, "no such overload: or wants an optional value, got " + std::string(name_of(other.kind())));
}

}  // namespace muster
