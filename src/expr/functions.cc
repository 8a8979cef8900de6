#include "expr/functions.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/strings.h"
#include "base/utf8.h"
#include "facts/types.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

constexpr Type kDynList{TypeKind::List, &kDynType};
constexpr const Type* kNone = nullptr;

Value wrong(EvalContext& context, std::string_view function, Arguments arguments) {
  std::string kinds;
  for (const Value& argument : arguments) kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(argument.kind()));
  return make_error(context, "no such overload: " + std::string(function) + "(" + kinds + ")");
}

// --- conversions ---

Value to_int(Arguments in, EvalContext& context) {
  const Value& value = in[0];
  switch (value.kind()) {
    case Kind::Int: return value;
    case Kind::Uint:
      if (value.as_uint() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return make_error(context, "int overflow");
      return Value::of(static_cast<std::int64_t>(value.as_uint()));
    case Kind::Double: {
      const double number = value.as_double();
      if (!(number > -9223372036854775808.0 && number < 9223372036854775808.0)) return make_error(context, "int overflow");
      return Value::of(static_cast<std::int64_t>(number));
    }
    case Kind::String: {
      const std::optional<std::int64_t> number = parse_int(value.as_text());
      return number ? Value::of(*number) : make_error(context, "cannot convert `" + std::string(value.as_text()) + "` to int");
    }
    case Kind::Timestamp: return Value::of(value.as_time().seconds);
    case Kind::Quantity:
      if (!value.as_quantity().is_whole()) return make_error(context, "the quantity is not a whole number");
      return Value::of(value.as_quantity().whole);
    default: return wrong(context, "int", in);
  }
}

Value to_double(Arguments in, EvalContext& context) {
  const Value& value = in[0];
  if (value.is(Kind::Double)) return value;
  if (value.is(Kind::Int)) return Value::of(static_cast<double>(value.as_int()));
  if (value.is(Kind::Uint)) return Value::of(static_cast<double>(value.as_uint()));
  if (!value.is(Kind::String)) return wrong(context, "double", in);
  const std::string text(value.as_text());
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) return make_error(context, "cannot convert `" + text + "` to double");
  return Value::of(number);
}

Value to_string(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::String)) return in[0];
  if (in[0].is(Kind::Bytes)) {
    if (first_invalid_utf8(in[0].as_text())) return make_error(context, "the bytes are not UTF-8");
    return Value::of(in[0].as_text());
  }
  const bool scalar = !in[0].is(Kind::List) && !in[0].is(Kind::Map) && !in[0].is(Kind::Object) && !in[0].is(Kind::Null);
  return scalar ? Value::of(context.read.arena->copy(to_text(in[0]))) : wrong(context, "string", in);
}

Value to_quantity(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Quantity)) return in[0];
  if (in[0].is(Kind::Int)) return Value::of(Quantity::of(in[0].as_int()));
  if (!in[0].is(Kind::String)) return wrong(context, "quantity", in);
  const std::optional<Quantity> quantity = Quantity::parse(in[0].as_text());
  return quantity ? Value::of(*quantity) : make_error(context, "`" + std::string(in[0].as_text()) + "` is not a quantity");
}

Value to_dyn(Arguments in, EvalContext&) { return in[0]; }

Value type_of(Arguments in, EvalContext&) { return Value::type(name_of(in[0].kind())); }

// --- strings and lists ---

Value size(Arguments in, EvalContext& context) {
  switch (in[0].kind()) {
    case Kind::String: return Value::of(static_cast<std::int64_t>(count_code_points(in[0].as_text())));
    case Kind::Bytes: return Value::of(static_cast<std::int64_t>(in[0].as_text().size()));
    case Kind::List: return Value::of(static_cast<std::int64_t>(in[0].as_list().size));
    case Kind::Map: return Value::of(static_cast<std::int64_t>(in[0].as_map().entries.size()));
    case Kind::Hostlist: return Value::of(static_cast<std::int64_t>(in[0].as_hostlist().size()));
    default: return wrong(context, "size", in);
  }
}

bool both_strings(Arguments in) { return in.size() == 2 && in[0].is(Kind::String) && in[1].is(Kind::String); }

Value contains_text(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Hostlist) && in[1].is(Kind::String)) return Value::of(in[0].as_hostlist().contains(in[1].as_text()));
  return both_strings(in) ? Value::of(contains(in[0].as_text(), in[1].as_text())) : wrong(context, "contains", in);
}
Value starts_with(Arguments in, EvalContext& context) {
  return both_strings(in) ? Value::of(in[0].as_text().starts_with(in[1].as_text())) : wrong(context, "startsWith", in);
}
Value ends_with(Arguments in, EvalContext& context) {
  return both_strings(in) ? Value::of(in[0].as_text().ends_with(in[1].as_text())) : wrong(context, "endsWith", in);
}

/// RE2: linear time whatever the pattern, so patterns from anywhere are safe.
Value matches(Arguments in, EvalContext& context) {
  if (!both_strings(in)) return wrong(context, "matches", in);
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 pattern(re2::StringPiece(in[1].as_text().data(), in[1].as_text().size()), options);
  if (!pattern.ok()) return make_error(context, "bad pattern: " + pattern.error());
  return Value::of(RE2::PartialMatch(re2::StringPiece(in[0].as_text().data(), in[0].as_text().size()), pattern));
}

Value lower_ascii(Arguments in, EvalContext& context) {
  return in[0].is(Kind::String) ? Value::of(context.read.arena->copy(to_lower(in[0].as_text()))) : wrong(context, "lowerAscii", in);
}

Value list_of(std::span<const Value> values, EvalContext& context) {
  return Value::of(context.read.arena->make(ListData{
      values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
}

Value split_text(Arguments in, EvalContext& context) {
  if (!both_strings(in) || in[1].as_text().size() != 1) return wrong(context, "split", in);
  const std::vector<std::string_view> pieces = split(in[0].as_text(), in[1].as_text().front());
  const std::span<Value> values = context.read.arena->make_array<Value>(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) values[i] = Value::of(pieces[i]);
  return list_of(values, context);
}

Value join_texts(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::List) || (in.size() > 1 && !in[1].is(Kind::String))) return wrong(context, "join", in);
  const ListData& list = in[0].as_list();
  std::string out;
  for (std::size_t i = 0; i < list.size; ++i) {
    if (i > 0 && in.size() > 1) out += in[1].as_text();
    out += to_text(list.at(list.base, i));
  }
  return Value::of(context.read.arena->copy(out));
}

Value to_version(Arguments in, EvalContext& context) {
  // Versions own memory, so one is made where the expression is checked; see the checker for literal arguments.
  return in[0].is(Kind::Version) ? in[0] : wrong(context, "version", in);
}

// --- muster's own ---

/// The name of the source field a value comes from: minAvailable or minMember.
Value field_name(Arguments in, EvalContext&) {
  const Origin* origin = in[0].origin();
  return Value::of(origin != nullptr && !origin->field.empty() ? origin->field : std::string_view("its setting"));
}

/// The workload that a workload, or a gang tied to one, stands for.
std::optional<std::size_t> workload_of(const Value& object, const Model& model) {
  if (!object.is(Kind::Object)) return std::nullopt;
  if (object.object_type() == &kGangType) return static_cast<const Gang*>(object.object_data())->workload_index;
  if (object.object_type() != &kWorkloadType) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const Workload*>(object.object_data()) - model.workloads.data());
}

Value decided_host(Arguments in, EvalContext& context) {
  const std::optional<std::size_t> workload = workload_of(in[0], *context.read.model);
  if (!workload || context.functions == nullptr) return make_error(context, "decided_host wants something with a workload");
  return context.functions->decided_host(context.functions->self, *workload, context);
}
Value decided_hybrid(Arguments in, EvalContext& context) {
  const std::optional<std::size_t> workload = workload_of(in[0], *context.read.model);
  if (!workload || context.functions == nullptr) return make_error(context, "decided_hybrid wants something with a workload");
  return context.functions->decided_hybrid(context.functions->self, *workload, context);
}

/// The value of an optional, or the other one.
Value or_value(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Optional)) return wrong(context, "orValue", in);
  return in[0].as_optional() == nullptr ? in[1] : *in[0].as_optional();
}

constexpr Type kDynOptional{TypeKind::Optional, &kDynType};
constexpr Overload kOrValue[] = {{true, {&kDynOptional, &kDynType}, &kDynType}};
constexpr Overload kSize[] = {{false, {&kDynType}, &kIntType}, {true, {&kDynType}, &kIntType}};
constexpr Overload kTextTest[] = {{true, {&kStringType, &kStringType}, &kBoolType}};
constexpr Overload kContains[] = {{true, {&kStringType, &kStringType}, &kBoolType}, {true, {&kHostlistType, &kStringType}, &kBoolType}};
constexpr Overload kMatches[] = {{true, {&kStringType, &kStringType}, &kBoolType}, {false, {&kStringType, &kStringType}, &kBoolType}};
constexpr Overload kLower[] = {{true, {&kStringType}, &kStringType}};
constexpr Overload kSplit[] = {{true, {&kStringType, &kStringType}, &kStringListType}};
constexpr Overload kJoin[] = {{true, {&kDynList}, &kStringType}, {true, {&kDynList, &kStringType}, &kStringType}};
constexpr Overload kToInt[] = {{false, {&kDynType}, &kIntType}};
constexpr Overload kToDouble[] = {{false, {&kDynType}, &kDoubleType}};
constexpr Overload kToString[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kToDyn[] = {{false, {&kDynType}, &kDynType}};
constexpr Overload kTypeOf[] = {{false, {&kDynType}, &kTypeType}};
constexpr Overload kToQuantity[] = {{false, {&kDynType}, &kQuantityType}};
constexpr Overload kToVersion[] = {{false, {&kStringType}, &kVersionType}};
constexpr Overload kFieldName[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kOfGangText[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kOfGangBool[] = {{false, {&kDynType}, &kBoolType}};

constexpr Function kFunctions[] = {
    {"contains", kContains, "whether a text holds another, or a node list a name", contains_text},
    {"decided_host", kOfGangText, "host that the decision for a workload, or for a gang's, gives: slurm, kubernetes or k3s", decided_host},
    {"decided_hybrid", kOfGangBool, "whether that decision is a hybrid of two planes", decided_hybrid},
    {"double", kToDouble, "as a double", to_double},
    {"dyn", kToDyn, "the same value with its type left open", to_dyn},
    {"endsWith", kTextTest, "whether a text ends with another", ends_with},
    {"field", kFieldName, "name of the source field a value comes from, such as minAvailable", field_name},
    {"int", kToInt, "as an int, towards zero", to_int},
    {"join", kJoin, "the items as one text", join_texts},
    {"lowerAscii", kLower, "in lower case", lower_ascii},
    {"matches", kMatches, "whether a text holds a match of an RE2 pattern", matches},
    {"orValue", kOrValue, "the value of an optional, or another one when it has none", or_value},
    {"quantity", kToQuantity, "a Kubernetes quantity such as 512Gi", to_quantity},
    {"size", kSize, "code points, bytes, items or names", size},
    {"split", kSplit, "the pieces between separators of one character", split_text},
    {"startsWith", kTextTest, "whether a text begins with another", starts_with},
    {"string", kToString, "as a text", to_string},
    {"type", kTypeOf, "the type of a value", type_of},
    {"version", kToVersion, "a release number such as 25.11, from a literal", to_version},
};
static_assert(std::ranges::is_sorted(kFunctions, {}, &Function::name));

}  // namespace

std::size_t Overload::count() const {
  return static_cast<std::size_t>(std::ranges::find(arguments, kNone) - arguments.begin());
}

std::span<const Function> all_functions() { return kFunctions; }

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::lower_bound(kFunctions, name, {}, &Function::name);
  return found == std::end(kFunctions) || found->name != name ? nullptr : &*found;
}

Value make_error(EvalContext& context, std::string_view message) {
  return Value::error(context.read.arena->make(ErrorData{context.read.arena->copy(message), 0, 0}));
}

}  // namespace muster
