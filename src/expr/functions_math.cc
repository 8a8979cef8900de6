// Source: google/cel-go:ext/README.md (math).
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

/// Of the arguments, or of the items of one list.
template <Order wanted>
Value extreme(Arguments in, EvalContext& context) {
  const std::string name = wanted == Order::Greater ? "math.greatest" : "math.least";
  const bool list = in.size() == 1 && in[0].is(Kind::List);
  const std::size_t count = list ? in[0].as_list().size : in.size();
  if (count == 0) return make_error(context, name + "(): argument must not be empty");
  Value best;
  for (std::size_t i = 0; i < count; ++i) {
    const Value each = list ? item(in[0], i) : in[i];
    if (!is_number(each)) return no_overload(context, name, {&each, 1});
    const Order order = i == 0 ? Order::Equal : compare(each, best);
    if (order == Order::Incomparable) return make_error(context, "NaN values cannot be ordered");
    if (i == 0 || order == wanted) best = each;
  }
  return best;
}

template <double (*apply)(double)>
Value whole(Arguments in, EvalContext& context) {
  return in[0].is(Kind::Double) ? Value::of(apply(in[0].as_double())) : no_overload(context, "math rounding", in);
}
double ceil_of(double x) { return std::ceil(x); }
double floor_of(double x) { return std::floor(x); }
double round_of(double x) { return std::round(x); }  // halves away from zero
double trunc_of(double x) { return std::trunc(x); }

template <bool (*test)(double)>
Value classify(Arguments in, EvalContext& context) {
  return in[0].is(Kind::Double) ? Value::of(test(in[0].as_double())) : no_overload(context, "math classification", in);
}
bool is_nan(double x) { return std::isnan(x); }
bool is_inf(double x) { return std::isinf(x); }
bool is_finite(double x) { return std::isfinite(x); }

Value absolute(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Uint)) return in[0];
  if (in[0].is(Kind::Double)) return Value::of(std::fabs(in[0].as_double()));
  if (!in[0].is(Kind::Int)) return no_overload(context, "math.abs", in);
  if (in[0].as_int() == std::numeric_limits<std::int64_t>::min()) return make_error(context, "int overflow");
  return Value::of(in[0].as_int() < 0 ? -in[0].as_int() : in[0].as_int());
}

Value sign(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Uint)) return Value::of(std::uint64_t{in[0].as_uint() > 0 ? 1U : 0U});
  if (in[0].is(Kind::Int)) return Value::of(std::int64_t{in[0].as_int() > 0 ? 1 : in[0].as_int() < 0 ? -1 : 0});
  if (!in[0].is(Kind::Double)) return no_overload(context, "math.sign", in);
  const double number = in[0].as_double();
  return Value::of(number > 0 ? 1.0 : number < 0 ? -1.0 : number);
}

Value square_root(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Double)) return Value::of(std::sqrt(in[0].as_double()));
  if (in[0].is(Kind::Int)) return Value::of(std::sqrt(static_cast<double>(in[0].as_int())));
  return in[0].is(Kind::Uint) ? Value::of(std::sqrt(static_cast<double>(in[0].as_uint())))
                              : no_overload(context, "math.sqrt", in);
}

std::uint64_t bits(const Value& value) {
  return value.is(Kind::Uint) ? value.as_uint() : static_cast<std::uint64_t>(value.as_int());
}
Value of_kind(Kind kind, std::uint64_t value) {
  return kind == Kind::Uint ? Value::of(value) : Value::of(static_cast<std::int64_t>(value));
}
bool whole_number(const Value& value) { return value.is(Kind::Int) || value.is(Kind::Uint); }

template <std::uint64_t (*apply)(std::uint64_t, std::uint64_t)>
Value bitwise(Arguments in, EvalContext& context) {
  if (!whole_number(in[0]) || in[0].kind() != in[1].kind()) return no_overload(context, "math bit operation", in);
  return of_kind(in[0].kind(), apply(bits(in[0]), bits(in[1])));
}
std::uint64_t bit_and(std::uint64_t a, std::uint64_t b) { return a & b; }
std::uint64_t bit_or(std::uint64_t a, std::uint64_t b) { return a | b; }
std::uint64_t bit_xor(std::uint64_t a, std::uint64_t b) { return a ^ b; }

Value bit_not(Arguments in, EvalContext& context) {
  return whole_number(in[0]) ? of_kind(in[0].kind(), ~bits(in[0])) : no_overload(context, "math.bitNot", in);
}

/// Zeros come in from both sides, whatever the sign.
template <bool left>
Value shift(Arguments in, EvalContext& context) {
  const std::string name = left ? "math.bitShiftLeft" : "math.bitShiftRight";
  if (!whole_number(in[0]) || !in[1].is(Kind::Int)) return no_overload(context, name, in);
  const std::int64_t by = in[1].as_int();
  if (by < 0) return make_error(context, name + "() negative offset: " + std::to_string(by));
  if (by >= 64) return of_kind(in[0].kind(), 0);
  return of_kind(in[0].kind(), left ? bits(in[0]) << by : bits(in[0]) >> by);
}

constexpr Overload kExtreme[] = {{false, {&kDynType}, &kDynType, Derived::Fixed, true}};
constexpr Overload kWhole[] = {{false, {&kDoubleType}, &kDoubleType}};
constexpr Overload kClassify[] = {{false, {&kDoubleType}, &kBoolType}};
constexpr Overload kNumber[] = {
    {false, {&kIntType}, &kIntType}, {false, {&kUintType}, &kUintType}, {false, {&kDoubleType}, &kDoubleType}};
constexpr Overload kSqrt[] = {
    {false, {&kIntType}, &kDoubleType}, {false, {&kUintType}, &kDoubleType}, {false, {&kDoubleType}, &kDoubleType}};
constexpr Overload kBits[] = {{false, {&kIntType, &kIntType}, &kIntType},
                              {false, {&kUintType, &kUintType}, &kUintType}};
constexpr Overload kNot[] = {{false, {&kIntType}, &kIntType}, {false, {&kUintType}, &kUintType}};
constexpr Overload kShift[] = {{false, {&kIntType, &kIntType}, &kIntType},
                               {false, {&kUintType, &kIntType}, &kUintType}};

constexpr Function kMathFunctions[] = {
    {"math.abs", kNumber, "without its sign", absolute},
    {"math.bitAnd", kBits, "bits set in both", bitwise<bit_and>},
    {"math.bitNot", kNot, "all bits turned", bit_not},
    {"math.bitOr", kBits, "bits set in one or both", bitwise<bit_or>},
    {"math.bitShiftLeft", kShift, "bits moved to the higher end", shift<true>},
    {"math.bitShiftRight", kShift, "bits moved to the lower end", shift<false>},
    {"math.bitXor", kBits, "bits set in one alone", bitwise<bit_xor>},
    {"math.ceil", kWhole, "rounded up", whole<ceil_of>},
    {"math.floor", kWhole, "rounded down", whole<floor_of>},
    {"math.greatest", kExtreme, "the greatest of its arguments, or of one list", extreme<Order::Greater>},
    {"math.isFinite", kClassify, "whether a double is neither NaN nor infinite", classify<is_finite>},
    {"math.isInf", kClassify, "whether a double is infinite", classify<is_inf>},
    {"math.isNaN", kClassify, "whether a double is NaN", classify<is_nan>},
    {"math.least", kExtreme, "the least of its arguments, or of one list", extreme<Order::Less>},
    {"math.round", kWhole, "rounded to the nearest, halves away from zero", whole<round_of>},
    {"math.sign", kNumber, "-1, 0 or 1", sign},
    {"math.sqrt", kSqrt, "the square root", square_root},
    {"math.trunc", kWhole, "rounded towards zero", whole<trunc_of>},
};
static_assert(std::ranges::is_sorted(kMathFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> math_functions() { return kMathFunctions; }

}  // namespace muster
