// Kubernetes' quantities and semantic versions, with the methods its CEL libraries give them.
// Source: kubernetes/apiserver:pkg/cel/library/quantity.go and semverlib.go (1.35).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/strings.h"
#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

Value to_quantity(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Quantity)) return in[0];
  if (in[0].is(Kind::Int)) return Value::of(Quantity::of(in[0].as_int()));
  if (!in[0].is(Kind::String)) return no_overload(context, "quantity", in);
  const std::optional<Quantity> quantity = Quantity::parse(in[0].as_text());
  return quantity ? Value::of(*quantity)
                  : make_error(context, "`" + std::string(in[0].as_text()) + "` is not a quantity");
}

Value is_quantity(Arguments in, EvalContext& context) {
  return in[0].is(Kind::String) ? Value::of(Quantity::parse(in[0].as_text()).has_value())
                                : no_overload(context, "isQuantity", in);
}

Value is_integer(Arguments in, EvalContext& context) {
  return in[0].is(Kind::Quantity) ? Value::of(in[0].as_quantity().is_whole()) : no_overload(context, "isInteger", in);
}

Value as_integer(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Quantity)) return no_overload(context, "asInteger", in);
  if (!in[0].as_quantity().is_whole()) return make_error(context, "cannot convert value to integer");
  return Value::of(in[0].as_quantity().whole);
}

Value as_float(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Quantity)) return no_overload(context, "asApproximateFloat", in);
  const Quantity& quantity = in[0].as_quantity();
  return Value::of(static_cast<double>(quantity.whole) + static_cast<double>(quantity.nano) / 1e9);
}

Value quantity_sign(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Quantity)) return no_overload(context, "sign", in);
  const Quantity zero;
  return Value::of(static_cast<std::int64_t>(in[0].as_quantity() > zero ? 1 : in[0].as_quantity() < zero ? -1 : 0));
}

std::optional<Quantity> as_quantity(const Value& value) {
  if (value.is(Kind::Quantity)) return value.as_quantity();
  return value.is(Kind::Int) ? std::optional(Quantity::of(value.as_int())) : std::nullopt;
}

Value add(Arguments in, EvalContext& context) {
  const std::optional<Quantity> other = as_quantity(in[1]);
  return in[0].is(Kind::Quantity) && other ? Value::of(in[0].as_quantity() + *other) : no_overload(context, "add", in);
}
Value subtract(Arguments in, EvalContext& context) {
  const std::optional<Quantity> other = as_quantity(in[1]);
  return in[0].is(Kind::Quantity) && other ? Value::of(in[0].as_quantity() - *other) : no_overload(context, "sub", in);
}

bool alike(Arguments in) {
  return (in[0].is(Kind::Quantity) || in[0].is(Kind::Semver)) && in[1].kind() == in[0].kind();
}

Value compare_to(Arguments in, EvalContext& context) {
  if (!alike(in)) return no_overload(context, "compareTo", in);
  const Order order = compare(in[0], in[1]);
  return Value::of(static_cast<std::int64_t>(order == Order::Less ? -1 : order == Order::Greater ? 1 : 0));
}
Value is_less(Arguments in, EvalContext& context) {
  return alike(in) ? Value::of(compare(in[0], in[1]) == Order::Less) : no_overload(context, "isLessThan", in);
}
Value is_greater(Arguments in, EvalContext& context) {
  return alike(in) ? Value::of(compare(in[0], in[1]) == Order::Greater) : no_overload(context, "isGreaterThan", in);
}

// --- semantic versions ---

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = !text.empty() && error == std::errc{} && stop == text.data() + text.size();
  return whole && (text.size() == 1 || text.front() != '0') ? std::optional(number) : std::nullopt;
}

/// Dotted identifiers of letters, digits and hyphens; numbers of a pre-release have no leading zero.
bool good_identifiers(std::string_view text, bool numbers_strict) {
  return std::ranges::all_of(split(text, '.'), [&](std::string_view part) {
    const bool characters =
        !part.empty() && std::ranges::all_of(part, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
    const bool number = characters && part.find_first_not_of("0123456789") == std::string_view::npos;
    return characters && (!numbers_strict || !number || part.size() == 1 || part.front() != '0');
  });
}

/// As `semver(text, true)` reads it: a leading v, missing parts and leading zeros are forgiven.
std::string normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::size_t tail = std::min(text.find_first_of("-+"), text.size());
  std::string out;
  const std::vector<std::string_view> parts = split(text.substr(0, tail), '.');
  for (std::size_t i = 0; i < std::max<std::size_t>(3, parts.size()); ++i) {
    std::string_view part = i < parts.size() ? parts[i] : "0";
    while (part.size() > 1 && part.front() == '0') part.remove_prefix(1);
    out += (i > 0 ? "." : "") + std::string(part);
  }
  return out + std::string(text.substr(tail));
}

/// The version a call's arguments give; its text lives in the arena.
std::optional<SemverData> read_semver(Arguments in, EvalContext& context) {
  const bool forgiving = in.size() > 1 && in[1].as_bool();
  return parse_semver(context.read.arena->copy(forgiving ? normalized(in[0].as_text()) : std::string(in[0].as_text())));
}

bool semver_arguments(Arguments in) { return in[0].is(Kind::String) && (in.size() == 1 || in[1].is(Kind::Bool)); }

Value to_semver(Arguments in, EvalContext& context) {
  if (!semver_arguments(in)) return no_overload(context, "semver", in);
  const std::optional<SemverData> version = read_semver(in, context);
  if (!version) return make_error(context, "`" + std::string(in[0].as_text()) + "` is not a semantic version");
  return Value::of(static_cast<const SemverData*>(context.read.arena->make(*version)));
}
Value is_semver(Arguments in, EvalContext& context) {
  return semver_arguments(in) ? Value::of(read_semver(in, context).has_value()) : no_overload(context, "isSemver", in);
}

template <std::uint64_t SemverData::*part>
Value semver_part(Arguments in, EvalContext& context) {
  return in[0].is(Kind::Semver) ? Value::of(static_cast<std::int64_t>(in[0].as_semver().*part))
                                : no_overload(context, "semver part", in);
}

constexpr Overload kToQuantity[] = {{false, {&kDynType}, &kQuantityType}};
constexpr Overload kIsQuantity[] = {{false, {&kStringType}, &kBoolType}};
constexpr Overload kQuantityTest[] = {{true, {&kQuantityType}, &kBoolType}};
constexpr Overload kQuantityInt[] = {{true, {&kQuantityType}, &kIntType}};
constexpr Overload kQuantityDouble[] = {{true, {&kQuantityType}, &kDoubleType}};
constexpr Overload kQuantitySum[] = {{true, {&kQuantityType, &kQuantityType}, &kQuantityType},
                                     {true, {&kQuantityType, &kIntType}, &kQuantityType}};
constexpr Overload kCompareTo[] = {{true, {&kQuantityType, &kQuantityType}, &kIntType},
                                   {true, {&kSemverType, &kSemverType}, &kIntType}};
constexpr Overload kCompare[] = {{true, {&kQuantityType, &kQuantityType}, &kBoolType},
                                 {true, {&kSemverType, &kSemverType}, &kBoolType}};
constexpr Overload kToSemver[] = {{false, {&kStringType}, &kSemverType},
                                  {false, {&kStringType, &kBoolType}, &kSemverType}};
constexpr Overload kIsSemver[] = {{false, {&kStringType}, &kBoolType}, {false, {&kStringType, &kBoolType}, &kBoolType}};
constexpr Overload kSemverPart[] = {{true, {&kSemverType}, &kIntType}};

constexpr Function kQuantityFunctions[] = {
    {"add", kQuantitySum, "the sum of a quantity and another or an int", add},
    {"asApproximateFloat", kQuantityDouble, "a quantity as a double", as_float},
    {"asInteger", kQuantityInt, "a whole quantity as an int", as_integer},
    {"compareTo", kCompareTo, "-1, 0 or 1", compare_to},
    {"isGreaterThan", kCompare, "whether a quantity or semantic version is greater", is_greater},
    {"isInteger", kQuantityTest, "whether a quantity is whole", is_integer},
    {"isLessThan", kCompare, "whether a quantity or semantic version is less", is_less},
    {"isQuantity", kIsQuantity, "whether a text is a quantity", is_quantity},
    {"isSemver", kIsSemver, "whether a text is a semantic version", is_semver},
    {"major", kSemverPart, "first number of a semantic version", semver_part<&SemverData::major>},
    {"minor", kSemverPart, "second number of a semantic version", semver_part<&SemverData::minor>},
    {"patch", kSemverPart, "third number of a semantic version", semver_part<&SemverData::patch>},
    {"quantity", kToQuantity, "a Kubernetes quantity such as 512Gi", to_quantity},
    {"semver", kToSemver,
     "a semantic version 2.0.0; with true a leading v, missing parts and leading zeros are forgiven", to_semver},
    {"sign", kQuantityInt, "-1, 0 or 1: the sign of a quantity", quantity_sign},
    {"sub", kQuantitySum, "a quantity less another or an int", subtract},
};
static_assert(std::ranges::is_sorted(kQuantityFunctions, {}, &Function::name));

}  // namespace

Quantity operator-(const Quantity& a, const Quantity& b) {
  // The least int has no counterpart; one unit there is beyond what a quantity can tell.
  const std::int64_t whole =
      b.whole == std::numeric_limits<std::int64_t>::min() ? std::numeric_limits<std::int64_t>::max() : -b.whole;
  return a + Quantity{whole, -b.nano};
}

std::optional<SemverData> parse_semver(std::string_view text) {
  const std::size_t build = text.find('+');
  if (build != text.npos && !good_identifiers(text.substr(build + 1), false)) return std::nullopt;
  text = text.substr(0, build);
  SemverData out;
  const std::size_t dash = text.find('-');
  if (dash != text.npos) {
    out.pre_release = text.substr(dash + 1);
    if (!good_identifiers(out.pre_release, true)) return std::nullopt;
  }
  const std::vector<std::string_view> parts = split(text.substr(0, dash), '.');
  if (parts.size() != 3) return std::nullopt;
  const std::array numbers{&out.major, &out.minor, &out.patch};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<std::uint64_t> number = parse_number(parts[i]);
    if (!number) return std::nullopt;
    *numbers[i] = *number;
  }
  return out;
}

Order compare_semver(const SemverData& a, const SemverData& b) {
  const auto ordered = [](const auto& x, const auto& y) {
    return x < y ? Order::Less : y < x ? Order::Greater : Order::Equal;
  };
  if (a.major != b.major) return ordered(a.major, b.major);
  if (a.minor != b.minor) return ordered(a.minor, b.minor);
  if (a.patch != b.patch) return ordered(a.patch, b.patch);
  if (a.pre_release.empty() || b.pre_release.empty()) return ordered(a.pre_release.empty(), b.pre_release.empty());
  const std::vector<std::string_view> x = split(a.pre_release, '.');
  const std::vector<std::string_view> y = split(b.pre_release, '.');
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i] == y[i]) continue;
    const bool x_number = x[i].find_first_not_of("0123456789") == std::string_view::npos;
    const bool y_number = y[i].find_first_not_of("0123456789") == std::string_view::npos;
    if (x_number != y_number) return x_number ? Order::Less : Order::Greater;
    if (x_number && x[i].size() != y[i].size()) return ordered(x[i].size(), y[i].size());
    return ordered(x[i], y[i]);
  }
  return ordered(x.size(), y.size());
}

std::string semver_text(const SemverData& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch) +
         (version.pre_release.empty() ? "" : "-" + std::string(version.pre_release));
}

std::span<const Function> quantity_functions() { return kQuantityFunctions; }

}  // namespace muster
