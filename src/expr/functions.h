#pragma once

#include <array>
#include <span>
#include <string_view>

#include "expr/expr.h"

namespace muster {

/// One way to call a function. Result types that depend on the arguments are dyn.
struct Overload {
  bool receiver;  ///< a.f(b)
  std::array<const Type*, 4> arguments;
  const Type* result;

  std::size_t count() const;
};

/// A function of the rule language. Overloads are for the checker and the documentation; `call` looks at the kinds of the
/// values itself, which are never unknown or errors.
struct Function {
  std::string_view name;
  std::span<const Overload> overloads;
  std::string_view doc;
  Value (*call)(std::span<const Value> arguments, EvalContext& context);
};

/// Sorted by name.
std::span<const Function> all_functions();
const Function* find_function(std::string_view name);

/// An evaluation error; `message` is copied.
Value make_error(EvalContext& context, std::string_view message);

// Shared by functions and operators.
bool equal(const Value& a, const Value& b);
enum class Order { Less, Equal, Greater, Incomparable };
/// Numbers compare across int, uint and double; NaN and different kinds are incomparable.
Order compare(const Value& a, const Value& b);

}  // namespace muster
