#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "expr/expr.h"

namespace muster {

/// What a call results in where it depends on the arguments.
enum class Derived : unsigned char {
  Fixed,            ///< the overload's own result
  Same,             ///< the type of the first argument
  Element,          ///< what the first argument, a list or an optional, holds
  ListOf,           ///< a list of the first argument's elements
  OptionalOf,       ///< an optional of the first argument
  OptionalElement,  ///< an optional of what the first argument holds
};

/// One way to call a function.
struct Overload {
  bool receiver;  ///< a.f(b)
  std::array<const Type*, 4> arguments;
  const Type* result;
  Derived derived = Derived::Fixed;
  bool variadic = false;  ///< one or more of the first argument

  std::size_t count() const;
  bool takes(std::size_t given) const { return variadic ? given >= 1 : given == count(); }
};

/// A function of the rule language. Overloads are for the checker and the documentation; `call` looks at the kinds of
/// the values itself, which are never unknown or errors. A function of a namespace carries it in its name: math.abs.
struct Function {
  std::string_view name;
  std::span<const Overload> overloads;
  std::string_view doc;
  Value (*call)(std::span<const Value> arguments, EvalContext& context);
};

const Function* find_function(std::string_view name);
void each_function(const std::function<void(const Function&)>& visit);

/// An evaluation error; `message` is copied. The place is that of the call.
Value make_error(EvalContext& context, std::string_view message);
/// The error of a call with values no overload takes.
Value no_overload(EvalContext& context, std::string_view function, std::span<const Value> arguments);

// Shared by functions and operators.

inline bool is_number(const Value& value) {
  return value.is(Value::Kind::Int) || value.is(Value::Kind::Uint) || value.is(Value::Kind::Double);
}

enum class Order { Less, Equal, Greater, Incomparable };
/// Numbers compare across int, uint and double; NaN and different kinds are incomparable.
Order compare(const Value& a, const Value& b);
/// Equality of values without an unknown within.
bool equal(const Value& a, const Value& b);
enum class Equality { No, Yes, Open };
/// Open when an unknown within decides.
Equality equality(const Value& a, const Value& b);

/// Lists and maps within each other, and optionals around them.
std::size_t nesting(const Value& value);
inline constexpr std::size_t kMaxNesting = 400;

/// Items of the longest list.
inline constexpr std::size_t kMaxListItems = 1 << 20;
/// A list of values in the arena; an error when it nests too deeply.
Value make_list(std::span<const Value> values, EvalContext& context);
Value make_map(std::span<const MapEntry> entries, EvalContext& context);
Value make_optional(const Value& value, EvalContext& context);
/// A text of `size` bytes to be filled in.
std::span<char> make_text(std::size_t size, EvalContext& context);

inline Value item(const Value& list, std::size_t i) { return list.as_list().at(list.as_list().base, i); }

/// The needs of every unknown within lists and maps, as one unknown value; null when there is none.
Value unknown_within(const Value& value, EvalContext& context);
/// Unknown wins over error, and all needs are kept. At least one of them stops.
Value merge(const Value& a, const Value& b, EvalContext& context);
inline bool is_partial(const Value& value) {
  return (value.is(Value::Kind::List) && value.as_list().partial) ||
         (value.is(Value::Kind::Map) && value.as_map().partial) ||
         (value.is(Value::Kind::Optional) && value.as_optional() != nullptr && is_partial(*value.as_optional()));
}

/// The value of an entry by key; nullptr when there is none. int, uint and double keys meet across types.
const Value* find_entry(const MapData& map, const Value& key, EvalContext& context);

/// At least `count` arguments, the first of which are texts.
inline bool strings(std::span<const Value> in, std::size_t count) {
  return in.size() >= count && std::all_of(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count),
                                           [](const Value& value) { return value.is(Value::Kind::String); });
}

/// Counts work that is not a node of the expression, such as comparing items; false when the evaluation takes too long.
inline constexpr std::size_t kMaxMemory = 64u << 20;  // bytes of lists and texts that one evaluation may make
inline bool exhausted(const EvalContext& context) {
  return context.steps > context.max_steps || context.read.arena->used() > kMaxMemory;
}
inline bool charge(EvalContext& context, std::size_t steps) {
  context.steps += steps;
  return !exhausted(context);
}

/// Compiles a pattern; nullptr with the reason when it is none.
std::unique_ptr<const Regex, DeleteRegex> make_regex(std::string_view pattern, std::string& error);

/// Durations are limited to 64-bit nanoseconds, timestamps to the years 1 to 9999; nothing beyond. `seconds` and
/// `nanos` need not be normal.
Value make_duration(std::int64_t seconds, std::int64_t nanos, EvalContext& context);
Value make_timestamp(std::int64_t seconds, std::int64_t nanos, EvalContext& context);
Value add_times(const Value& a, const Value& b, EvalContext& context);
Value subtract_times(const Value& a, const Value& b, EvalContext& context);
/// 90s, 1.5s as protobuf writes them; 2009-02-13T23:31:30Z.
std::string duration_text(const TimeData& time);
std::string timestamp_text(const TimeData& time);
std::optional<TimeData> parse_duration(std::string_view text);
std::optional<TimeData> parse_timestamp(std::string_view text);

Quantity operator-(const Quantity& a, const Quantity& b);
std::optional<SemverData> parse_semver(std::string_view text);
Order compare_semver(const SemverData& a, const SemverData& b);
std::string semver_text(const SemverData& version);

}  // namespace muster
