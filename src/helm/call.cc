#include "helm/call.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "base/strings.h"

namespace muster::helm {
namespace {

std::string_view type_of(char letter) {
  switch (letter) {
    case 's': return "string";
    case 'i': return "int";
    case 'b': return "bool";
    case 'm': return "map[string]interface {}";
    case 'l': return "list";
    default: return "interface {}";
  }
}

bool fits(char letter, Value& value) {
  switch (letter) {
    case 's': return value.is_text();
    case 'i':
      if (value.is(Value::Kind::Decimal) && value.constant && value.decimal == std::floor(value.decimal))
        value = Value::of(static_cast<std::int64_t>(value.decimal));
      return value.is(Value::Kind::Integer);
    case 'b': return value.is(Value::Kind::Bool);
    case 'm': return value.is_map();
    case 'l': return value.is_list() || value.is_nil();
    default: return true;
  }
}

using Table = std::unordered_map<std::string_view, const Function*>;

Table all_functions() {
  Table out;
  for (const std::vector<Function>* table : {&kTextFunctions, &kNumberFunctions, &kDataFunctions, &kEncodingFunctions,
                                             &kPatternFunctions, &kMadeUpFunctions}) {
    for (const Function& function : *table) out.emplace(function.name, &function);
  }
  return out;
}

}  // namespace

Value Call::fail(std::string why) const { return engine.fail("error calling " + std::string(name) + ": " + why); }

const Function* find_function(std::string_view name) {
  static const Table functions = all_functions();
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

bool takes(const Function& function, Call& call) {
  std::string_view letters = function.takes;
  const bool any_number = letters.ends_with('*');
  if (any_number) letters.remove_suffix(1);
  const std::size_t least = letters.size() - (any_number ? 1 : 0);
  if (call.size() < least || (!any_number && call.size() > letters.size()))
    return call.engine.fail("wrong number of args for " + std::string(call.name)), false;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const char letter = letters[std::min(i, letters.size() - 1)];
    if (fits(letter, call.arguments[i])) continue;
    const Value& given = call.arguments[i];
    call.engine.fail(given.is_nil() ? "invalid value; expected " + std::string(type_of(letter))
                                    : "wrong type for value of " + std::string(call.name) + "; expected " +
                                          std::string(type_of(letter)) + "; got " + std::string(kind_name(given)));
    return false;
  }
  return true;
}

std::string text_of(const Value& value) { return value.is_text() ? value.text : printed(value); }

std::int64_t to_integer(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Bool: return value.boolean ? 1 : 0;
    case Value::Kind::Integer: return value.integer;
    case Value::Kind::Decimal: return std::abs(value.decimal) < 9e18 ? static_cast<std::int64_t>(value.decimal) : 0;
    case Value::Kind::Text: {
      // A text of digits, also with a point behind them and zeros.
      std::string_view text = value.text;
      const std::size_t point = text.find('.');
      if (point != text.npos && text.find_first_not_of('0', point + 1) == text.npos) text = text.substr(0, point);
      if (text.starts_with('+')) text.remove_prefix(1);
      std::int64_t out = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
      return error == std::errc() && end == text.data() + text.size() ? out : 0;
    }
    default: return 0;
  }
}

double to_decimal(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Bool: return value.boolean ? 1 : 0;
    case Value::Kind::Integer: return static_cast<double>(value.integer);
    case Value::Kind::Decimal: return value.decimal;
    case Value::Kind::Text: {
      char* end = nullptr;
      const double out = std::strtod(value.text.c_str(), &end);
      return end == value.text.c_str() + value.text.size() && !value.text.empty() ? out : 0;
    }
    default: return 0;
  }
}

}  // namespace muster::helm
