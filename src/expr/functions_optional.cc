#include <algorithm>
#include <string>

#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

Value none(Arguments, EvalContext&) { return Value::optional(nullptr); }

Value of(Arguments in, EvalContext& context) { return make_optional(in[0], context); }

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return true;
    case Kind::Bool: return !value.as_bool();
    case Kind::Int: return value.as_int() == 0;
    case Kind::Uint: return value.as_uint() == 0;
    case Kind::Double: return value.as_double() == 0.0;
    case Kind::String:
    case Kind::Bytes: return value.as_text().empty();
    case Kind::List: return value.as_list().size == 0;
    case Kind::Map: return value.as_map().entries.empty();
    case Kind::Duration:
    case Kind::Timestamp: return value.as_time().seconds == 0 && value.as_time().nanos == 0;
    case Kind::Optional: return value.as_optional() == nullptr;
    case Kind::Quantity: return value.as_quantity() == Quantity{};
    case Kind::Hostlist: return value.as_hostlist().empty();
    case Kind::Absent:
    case Kind::Unknown:
    case Kind::Error:
    case Kind::Type:
    case Kind::Object:
    case Kind::Version:
    case Kind::Semver: break;
  }
  return false;
}

Value of_non_zero(Arguments in, EvalContext& context) {
  return is_zero(in[0]) ? Value::optional(nullptr) : make_optional(in[0], context);
}

Value has_value(Arguments in, EvalContext& context) {
  return in[0].is(Kind::Optional) ? Value::of(in[0].as_optional() != nullptr) : no_overload(context, "hasValue", in);
}

Value value(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Optional)) return no_overload(context, "value", in);
  return in[0].as_optional() != nullptr ? *in[0].as_optional() : make_error(context, "optional.none() dereference");
}

/// The values of those optionals of a list that have one.
Value unwrap(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::List)) return no_overload(context, "optional.unwrap", in);
  const std::size_t size = in[0].as_list().size;
  const std::span<Value> values = context.read.arena->make_array<Value>(size);
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Value each = item(in[0], i);
    if (!each.is(Kind::Optional)) return no_overload(context, "optional.unwrap", in);
    if (each.as_optional() != nullptr) values[count++] = *each.as_optional();
  }
  return make_list(values.first(count), context);
}

constexpr Overload kNone[] = {{false, {}, &kDynOptional}};
constexpr Overload kOf[] = {{false, {&kDynType}, &kDynOptional, Derived::OptionalOf}};
constexpr Overload kHasValue[] = {{true, {&kDynOptional}, &kBoolType}};
constexpr Overload kValue[] = {{true, {&kDynOptional}, &kDynType, Derived::Element}};
constexpr Overload kUnwrap[] = {{false, {&kDynList}, &kDynList}};
constexpr Overload kUnwrapOpt[] = {{true, {&kDynList}, &kDynList}};

constexpr Function kOptionalFunctions[] = {
    {"hasValue", kHasValue, "whether an optional has a value", has_value},
    {"optional.none", kNone, "an optional without a value", none},
    {"optional.of", kOf, "an optional with a value", of},
    {"optional.ofNonZeroValue", kOf, "an optional with a value unless that is zero or empty", of_non_zero},
    {"optional.unwrap", kUnwrap, "the values of those optionals that have one", unwrap},
    {"unwrapOpt", kUnwrapOpt, "the values of those optionals that have one", unwrap},
    {"value", kValue, "the value of an optional; an error when it has none", value},
};
static_assert(std::ranges::is_sorted(kOptionalFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> optional_functions() { return kOptionalFunctions; }

}  // namespace muster
