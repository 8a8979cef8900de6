#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "helm/engine.h"

namespace muster::helm {

/// A call of a function, with as many arguments of the kinds as it takes.
struct Call {
  Engine& engine;
  std::string_view name;
  std::vector<Value>& arguments;

  std::size_t size() const { return arguments.size(); }
  const Value& at(std::size_t i) const { return arguments[i]; }
  const std::string& text(std::size_t i) const { return arguments[i].text; }
  std::int64_t integer(std::size_t i) const { return arguments[i].integer; }
  Value fail(std::string why) const;
};

struct Function {
  std::string_view name;
  /// A letter an argument: s text, i integer, b boolean, m map, l list, a any; what stands before a last `*` may come
  /// any number of times.
  std::string_view takes;
  Value (*run)(Call&);
};

/// A function of templates; null for those that are known to Helm and not done here.
const Function* find_function(std::string_view name);

/// Whether a call gives what the function takes, as Go asks: a trouble of the engine otherwise. Constants become what
/// is asked for.
bool takes(const Function& function, Call& call);

// The functions by what they are about; each table is looked at in turn.
extern const std::vector<Function> kTextFunctions;
extern const std::vector<Function> kNumberFunctions;
extern const std::vector<Function> kDataFunctions;
extern const std::vector<Function> kEncodingFunctions;
extern const std::vector<Function> kPatternFunctions;
extern const std::vector<Function> kMadeUpFunctions;

inline Value text_value(std::string text) { return Value::of(std::move(text)); }

/// A value as sprig's strval makes a text of it.
std::string text_of(const Value& value);
/// As spf13/cast does: 0 for what is no number.
std::int64_t to_integer(const Value& value);
double to_decimal(const Value& value);

}  // namespace muster::helm
