// Lists and sets. Source: google/cel-go:ext/README.md (lists, sets), kubernetes/apiserver:pkg/cel/library/lists.go
// (1.35).
#include <algorithm>
#include <string>
#include <vector>

#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

bool is_list(Arguments in, std::size_t at = 0) { return in[at].is(Kind::List); }
std::size_t size_of(const Value& list) { return list.as_list().size; }

Value list_too_long(EvalContext& context) {
  return make_error(context, "the evaluation takes too long or too much memory");
}

std::span<Value> copy_of(const Value& list, EvalContext& context) {
  const std::span<Value> values = context.read.arena->make_array<Value>(size_of(list));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = item(list, i);
  return values;
}

Value distinct(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "distinct", in);
  const std::span<Value> values = context.read.arena->make_array<Value>(size_of(in[0]));
  std::size_t count = 0;
  for (std::size_t i = 0; i < size_of(in[0]); ++i) {
    if (!charge(context, 1 + count / 8)) return list_too_long(context);
    const Value each = item(in[0], i);
    const auto so_far = values.first(count);
    if (std::ranges::none_of(so_far, [&](const Value& other) { return equal(other, each); })) values[count++] = each;
  }
  return make_list(values.first(count), context);
}

Value first(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "first", in);
  return size_of(in[0]) == 0 ? Value::optional(nullptr) : make_optional(item(in[0], 0), context);
}
Value last(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "last", in);
  return size_of(in[0]) == 0 ? Value::optional(nullptr) : make_optional(item(in[0], size_of(in[0]) - 1), context);
}

/// False when the result gets too long.
bool flatten_into(std::vector<Value>& out, const Value& list, std::int64_t depth, EvalContext& context) {
  for (std::size_t i = 0; i < size_of(list); ++i) {
    if (out.size() > kMaxListItems || !charge(context, 1)) return false;
    const Value each = item(list, i);
    if (depth == 0 || !each.is(Kind::List)) {
      out.push_back(each);
    } else if (!flatten_into(out, each, depth - 1, context)) {
      return false;
    }
  }
  return true;
}

Value flatten(Arguments in, EvalContext& context) {
  if (!is_list(in) || (in.size() > 1 && !in[1].is(Kind::Int))) return no_overload(context, "flatten", in);
  const std::int64_t depth = in.size() > 1 ? in[1].as_int() : 1;
  if (depth < 0) return make_error(context, "level must be non-negative");
  std::vector<Value> out;
  if (!flatten_into(out, in[0], depth, context)) return list_too_long(context);
  const std::span<Value> values = context.read.arena->make_array<Value>(out.size());
  std::ranges::copy(out, values.begin());
  return make_list(values, context);
}

Value range(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Int)) return no_overload(context, "lists.range", in);
  const std::int64_t count = in[0].as_int();
  if (count < 0) return make_error(context, "lists.range: size must be non-negative, got " + std::to_string(count));
  if (count > static_cast<std::int64_t>(kMaxListItems)) return make_error(context, "the list is too long");
  const std::span<Value> values = context.read.arena->make_array<Value>(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = Value::of(static_cast<std::int64_t>(i));
  return make_list(values, context);
}

Value reverse(Arguments in, EvalContext& context) {
  if (!is_list(in)) return reverse_text(in, context);
  const std::span<Value> values = copy_of(in[0], context);
  std::ranges::reverse(values);
  return make_list(values, context);
}

Value slice(Arguments in, EvalContext& context) {
  if (!is_list(in) || !in[1].is(Kind::Int) || !in[2].is(Kind::Int)) return no_overload(context, "slice", in);
  const std::int64_t begin = in[1].as_int();
  const std::int64_t end = in[2].as_int();
  const std::string call = "cannot slice(" + std::to_string(begin) + ", " + std::to_string(end) + "), ";
  if (begin < 0 || end < 0) return make_error(context, call + "negative indexes not supported");
  if (begin > end) return make_error(context, call + "start index must be less than or equal to end index");
  if (static_cast<std::size_t>(end) > size_of(in[0]))
    return make_error(context, call + "list is length " + std::to_string(size_of(in[0])));
  const std::span<Value> values = context.read.arena->make_array<Value>(static_cast<std::size_t>(end - begin));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = item(in[0], static_cast<std::size_t>(begin) + i);
  return make_list(values, context);
}

/// An error unless all items are of one type that has an order.
Value check_order(std::span<const Value> values, EvalContext& context) {
  for (const Value& value : values) {
    if (value.kind() != values[0].kind())
      return make_error(context, "no such overload: list elements must have the same type");
    if (compare(value, values[0]) == Order::Incomparable)
      return make_error(context, "no such overload: list elements must be comparable");
  }
  return Value::null();
}

bool less(const Value& a, const Value& b) { return compare(a, b) == Order::Less; }

Value sort(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "sort", in);
  const std::span<Value> values = copy_of(in[0], context);
  if (const Value bad = check_order(values, context); bad.stops()) return bad;
  if (!charge(context, values.size())) return list_too_long(context);
  std::ranges::stable_sort(values, less);
  return make_list(values, context);
}

Value is_sorted(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "isSorted", in);
  const std::span<Value> values = copy_of(in[0], context);
  const Value bad = check_order(values, context);
  return bad.stops() ? bad : Value::of(std::ranges::is_sorted(values, less));
}

template <bool largest>
Value extreme(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, largest ? "max" : "min", in);
  const std::span<Value> values = copy_of(in[0], context);
  if (values.empty()) return make_error(context, largest ? "max called on empty list" : "min called on empty list");
  if (const Value bad = check_order(values, context); bad.stops()) return bad;
  return largest ? *std::ranges::max_element(values, less) : *std::ranges::min_element(values, less);
}

Value sum(Arguments in, EvalContext& context) {
  if (!is_list(in)) return no_overload(context, "sum", in);
  if (size_of(in[0]) == 0) return Value::of(std::int64_t{0});
  Value total = item(in[0], 0);
  const Kind kind = total.kind();
  const bool adds = kind == Kind::Int || kind == Kind::Uint || kind == Kind::Double || kind == Kind::Duration ||
                    kind == Kind::Quantity;
  if (!adds) return no_overload(context, "sum", {&total, 1});
  for (std::size_t i = 1; i < size_of(in[0]); ++i) {
    const Value next = item(in[0], i);
    if (next.kind() != kind) return make_error(context, "no such overload: list elements must have the same type");
    std::int64_t int_sum = 0;
    std::uint64_t uint_sum = 0;
    if (kind == Kind::Int) {
      if (__builtin_add_overflow(total.as_int(), next.as_int(), &int_sum)) return make_error(context, "int overflow");
      total = Value::of(int_sum);
    } else if (kind == Kind::Uint) {
      if (__builtin_add_overflow(total.as_uint(), next.as_uint(), &uint_sum))
        return make_error(context, "uint overflow");
      total = Value::of(uint_sum);
    } else if (kind == Kind::Double) {
      total = Value::of(total.as_double() + next.as_double());
    } else {
      total = kind == Kind::Duration ? add_times(total, next, context)
                                     : Value::of(total.as_quantity() + next.as_quantity());
      if (total.stops()) return total;
    }
  }
  return total;
}

Value index_of(Arguments in, EvalContext& context) {
  if (!is_list(in) || in.size() > 2) return text_index_of(in, context);
  for (std::size_t i = 0; i < size_of(in[0]); ++i) {
    if (equal(item(in[0], i), in[1])) return Value::of(static_cast<std::int64_t>(i));
  }
  return Value::of(std::int64_t{-1});
}
Value last_index_of(Arguments in, EvalContext& context) {
  if (!is_list(in) || in.size() > 2) return text_last_index_of(in, context);
  for (std::size_t i = size_of(in[0]); i-- > 0;) {
    if (equal(item(in[0], i), in[1])) return Value::of(static_cast<std::int64_t>(i));
  }
  return Value::of(std::int64_t{-1});
}

// --- sets ---

bool has_item(const Value& list, const Value& wanted, EvalContext& context) {
  charge(context, 1 + size_of(list) / 8);
  for (std::size_t i = 0; i < size_of(list); ++i) {
    if (equal(item(list, i), wanted)) return true;
  }
  return false;
}

bool has_all(const Value& list, const Value& wanted, EvalContext& context) {
  for (std::size_t i = 0; i < size_of(wanted); ++i) {
    if (exhausted(context) || !has_item(list, item(wanted, i), context)) return false;
  }
  return true;
}

Value sets_contains(Arguments in, EvalContext& context) {
  if (!is_list(in) || !is_list(in, 1)) return no_overload(context, "sets.contains", in);
  const bool all = has_all(in[0], in[1], context);
  return exhausted(context) ? list_too_long(context) : Value::of(all);
}
Value sets_equivalent(Arguments in, EvalContext& context) {
  if (!is_list(in) || !is_list(in, 1)) return no_overload(context, "sets.equivalent", in);
  const bool same = has_all(in[0], in[1], context) && has_all(in[1], in[0], context);
  return exhausted(context) ? list_too_long(context) : Value::of(same);
}
Value sets_intersects(Arguments in, EvalContext& context) {
  if (!is_list(in) || !is_list(in, 1)) return no_overload(context, "sets.intersects", in);
  for (std::size_t i = 0; i < size_of(in[1]); ++i) {
    if (exhausted(context)) return list_too_long(context);
    if (has_item(in[0], item(in[1], i), context)) return Value::of(true);
  }
  return Value::of(false);
}

constexpr Overload kSame[] = {{true, {&kDynList}, &kDynList, Derived::Same}};
constexpr Overload kReverse[] = {{true, {&kDynList}, &kDynList, Derived::Same}, {true, {&kStringType}, &kStringType}};
constexpr Overload kOptionalItem[] = {{true, {&kDynList}, &kDynOptional, Derived::OptionalElement}};
constexpr Overload kItem[] = {{true, {&kDynList}, &kDynType, Derived::Element}};
constexpr Overload kTest[] = {{true, {&kDynList}, &kBoolType}};
constexpr Overload kFlatten[] = {{true, {&kDynList}, &kDynList}, {true, {&kDynList, &kIntType}, &kDynList}};
constexpr Overload kRange[] = {{false, {&kIntType}, &kIntList}};
constexpr Overload kSlice[] = {{true, {&kDynList, &kIntType, &kIntType}, &kDynList, Derived::Same}};
constexpr Overload kIndexOf[] = {{true, {&kStringType, &kStringType}, &kIntType},
                                 {true, {&kStringType, &kStringType, &kIntType}, &kIntType},
                                 {true, {&kDynList, &kDynType}, &kIntType}};
constexpr Overload kSets[] = {{false, {&kDynList, &kDynList}, &kBoolType}};

constexpr Function kListFunctions[] = {
    {"distinct", kSame, "the items without repetitions", distinct},
    {"first", kOptionalItem, "the first item, if there is one", first},
    {"flatten", kFlatten, "lists within the list replaced by their items, one level or as many as given", flatten},
    {"indexOf", kIndexOf, "the first position of a text within another or of an item; -1 when there is none", index_of},
    {"isSorted", kTest, "whether the items stand in order", is_sorted},
    {"last", kOptionalItem, "the last item, if there is one", last},
    {"lastIndexOf", kIndexOf, "the last position of a text within another or of an item; -1 when there is none",
     last_index_of},
    {"lists.range", kRange, "the ints from 0 to before a number", range},
    {"max", kItem, "the greatest item", extreme<true>},
    {"min", kItem, "the least item", extreme<false>},
    {"reverse", kReverse, "the items, or the characters, from last to first", reverse},
    {"sets.contains", kSets, "whether a list has all items of another", sets_contains},
    {"sets.equivalent", kSets, "whether two lists have the same items, however often", sets_equivalent},
    {"sets.intersects", kSets, "whether two lists share an item", sets_intersects},
    {"slice", kSlice, "the items from one position to before another", slice},
    {"sort", kSame, "the items in order", sort},
    {"sum", kItem, "the sum of the items", sum},
};
static_assert(std::ranges::is_sorted(kListFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> list_functions() { return kListFunctions; }

}  // namespace muster
