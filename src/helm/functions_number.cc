// Functions about numbers and comparisons. Sources: Masterminds/sprig:numeric.go (3.3);
// golang/go:src/text/template/funcs.go (1.25).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/strings.h"
#include "helm/call.h"

namespace muster::helm {
namespace {

Value number(std::int64_t value) { return Value::of(value); }

/// Of 64 bits, and it wraps as Go's does.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

template <class Join>
Value joined(Call& call, std::int64_t from, std::size_t first, Join join) {
  for (std::size_t i = first; i < call.size(); ++i) from = join(from, to_integer(call.at(i)));
  return number(from);
}

template <class Join>
Value joined_decimals(Call& call, double from, std::size_t first, Join join) {
  for (std::size_t i = first; i < call.size(); ++i) from = join(from, to_decimal(call.at(i)));
  return Value::of(from);
}

Value divide(Call& call, bool rest) {
  const std::int64_t by = to_integer(call.at(1));
  const std::int64_t value = to_integer(call.at(0));
  if (by == 0) return call.fail("runtime error: integer divide by zero");
  if (by == -1) return number(rest ? 0 : static_cast<std::int64_t>(-static_cast<std::uint64_t>(value)));
  return number(rest ? value % by : value / by);
}

Value steps(Call& call, std::int64_t from, std::int64_t to, std::int64_t step) {
  Value out = call.engine.store().list();
  if (step == 0 || (to < from) != (step < 0)) return out;
  for (std::int64_t i = from; step > 0 ? i < to : i > to; i += step) {
    if (!call.engine.spend(4)) return {};
    out.list->items.push_back(number(i));
    if (i > std::numeric_limits<std::int64_t>::max() - std::abs(step)) break;
  }
  return out;
}

Value sequence(Call& call) {
  const std::size_t count = call.size();
  if (count == 0 || count > 3) return Value::of(std::string());
  const std::int64_t from = count == 1 ? 1 : call.integer(0);
  const std::int64_t to = call.integer(count - 1);
  const std::int64_t one = to < from ? -1 : 1;
  const std::int64_t step = count == 3 ? call.integer(1) : one;
  if (count == 3 && to < from && step > 0) return Value::of(std::string());
  const Value list = steps(call, from, plus(to, one), step);
  std::string out;
  for (std::size_t i = 0; list.is_list() && i < list.list->items.size(); ++i) {
    if (i > 0) out += ' ';
    out += std::to_string(list.list->items[i].integer);
  }
  return Value::of(std::move(out));
}

Value round(Call& call) {
  const double power = std::pow(10.0, static_cast<double>(call.integer(1)));
  const double half = call.size() > 2 ? to_decimal(call.at(2)) : 0.5;
  const double digit = power * to_decimal(call.at(0));
  double whole = 0;
  const double part = std::modf(digit, &whole);
  return Value::of((part >= half ? std::ceil(digit) : std::floor(digit)) / power);
}

/// Values that Go compares: booleans, numbers and texts, and those of one kind alone.
bool is_basic(const Value& value) { return !value.is_nil() && !value.is_list() && !value.is_map(); }

bool same(const Value& a, const Value& b) {
  switch (a.kind) {
    case Value::Kind::Bool: return a.boolean == b.boolean;
    case Value::Kind::Integer: return a.integer == b.integer;
    case Value::Kind::Decimal: return a.decimal == b.decimal;
    default: return a.text == b.text;
  }
}

Value equal(Call& call) {
  if (call.size() < 2) return call.fail("missing argument for comparison");
  const Value& first = call.at(0);
  for (std::size_t i = 1; i < call.size(); ++i) {
    const Value& other = call.at(i);
    if (first.is_nil() || other.is_nil()) {
      if (first.is_nil() && other.is_nil()) return Value::of(true);
      continue;
    }
    if (!is_basic(first) || !is_basic(other)) return call.fail("non-comparable types");
    if (first.kind != other.kind) return call.fail("incompatible types for comparison");
    if (same(first, other)) return Value::of(true);
  }
  return Value::of(false);
}

/// -1, 0 or 1; else a trouble.
int order(Call& call) {
  const Value& a = call.at(0);
  const Value& b = call.at(1);
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (!is_basic(a) || !is_basic(b) || a.is(Value::Kind::Bool) || b.is(Value::Kind::Bool))
    return call.fail("invalid type for comparison"), 0;
  if (a.kind != b.kind) return call.fail("incompatible types for comparison"), 0;
  if (a.is_text()) return sign(a.text, b.text);
  return a.is(Value::Kind::Integer) ? sign(a.integer, b.integer) : sign(a.decimal, b.decimal);
}

Value whole_number(Call& call) {
  Value out = number(to_integer(call.at(0)));
  out.constant = call.name == "int";  // an int, where int64 gives another type
  out.where = call.at(0).where;
  return out;
}

Value octal(Call& call) {
  const std::string text = text_of(call.at(0));
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 8);
  return number(error == std::errc() && end == text.data() + text.size() ? out : 0);
}

}  // namespace

const std::vector<Function> kNumberFunctions = {
    {"add", "a*", [](Call& c) { return joined(c, 0, 0, plus); }},
    {"add1", "a", [](Call& c) { return number(plus(to_integer(c.at(0)), 1)); }},
    {"add1f", "a", [](Call& c) { return Value::of(to_decimal(c.at(0)) + 1); }},
    {"addf", "a*", [](Call& c) { return joined_decimals(c, 0, 0, [](double a, double b) { return a + b; }); }},
    {"atoi", "s", [](Call& c) { return number(contains(c.text(0), ".") ? 0 : to_integer(c.at(0))); }},
    {"biggest", "aa*",
     [](Call& c) {
       return joined(c, to_integer(c.at(0)), 1, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
     }},
    {"ceil", "a", [](Call& c) { return Value::of(std::ceil(to_decimal(c.at(0)))); }},
    {"div", "aa", [](Call& c) { return divide(c, false); }},
    {"divf", "aa*",
     [](Call& c) { return joined_decimals(c, to_decimal(c.at(0)), 1, [](double a, double b) { return a / b; }); }},
    {"eq", "a*", equal},
    {"float64", "a", [](Call& c) { return Value::of(to_decimal(c.at(0))); }},
    {"floor", "a", [](Call& c) { return Value::of(std::floor(to_decimal(c.at(0)))); }},
    {"ge", "aa", [](Call& c) { return Value::of(order(c) >= 0); }},
    {"gt", "aa", [](Call& c) { return Value::of(order(c) > 0); }},
    {"int", "a", whole_number},
    {"int64", "a", whole_number},
    {"le", "aa", [](Call& c) { return Value::of(order(c) <= 0); }},
    {"lt", "aa", [](Call& c) { return Value::of(order(c) < 0); }},
    {"max", "aa*",
     [](Call& c) {
       return joined(c, to_integer(c.at(0)), 1, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
     }},
    {"maxf", "aa*",
     [](Call& c) {
       return joined_decimals(c, to_decimal(c.at(0)), 1, [](double a, double b) { return std::max(a, b); });
     }},
    {"min", "aa*",
     [](Call& c) {
       return joined(c, to_integer(c.at(0)), 1, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
     }},
    {"minf", "aa*",
     [](Call& c) {
       return joined_decimals(c, to_decimal(c.at(0)), 1, [](double a, double b) { return std::min(a, b); });
     }},
    {"mod", "aa", [](Call& c) { return divide(c, true); }},
    {"mul", "aa*", [](Call& c) { return joined(c, to_integer(c.at(0)), 1, times); }},
    {"mulf", "aa*",
     [](Call& c) { return joined_decimals(c, to_decimal(c.at(0)), 1, [](double a, double b) { return a * b; }); }},
    {"ne", "aa",
     [](Call& c) {
       const Value value = equal(c);
       return Value::of(!value.boolean);
     }},
    {"not", "a", [](Call& c) { return Value::of(!is_true(c.at(0))); }},
    {"round", "aia*", round},
    {"seq", "i*", sequence},
    {"sub", "aa", [](Call& c) { return number(plus(to_integer(c.at(0)), times(to_integer(c.at(1)), -1))); }},
    {"subf", "aa*",
     [](Call& c) { return joined_decimals(c, to_decimal(c.at(0)), 1, [](double a, double b) { return a - b; }); }},
    {"toDecimal", "a", octal},
    {"until", "i", [](Call& c) { return steps(c, 0, c.integer(0), c.integer(0) < 0 ? -1 : 1); }},
    {"untilStep", "iii", [](Call& c) { return steps(c, c.integer(0), c.integer(1), c.integer(2)); }},
};

}  // namespace muster::helm
