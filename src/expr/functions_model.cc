// Functions of muster's own: node lists, releases, decisions, places.
#include <algorithm>
#include <string>

#include "base/strings.h"
#include "expr/function_tables.h"
#include "facts/types.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

/// A release number such as 25.11; a literal one is made once by the checker.
Value to_version(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Version)) return in[0];
  if (!in[0].is(Kind::String)) return no_overload(context, "version", in);
  std::optional<Version> parsed = Version::parse(in[0].as_text());
  if (!parsed) return make_error(context, "`" + std::string(in[0].as_text()) + "` is not a version");
  return Value::of(context.read.arena->own(std::move(*parsed)));
}

Value to_hostlist(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Hostlist)) return in[0];
  if (!in[0].is(Kind::String)) return no_overload(context, "hostlist", in);
  Result<Hostlist> parsed = Hostlist::parse(in[0].as_text());
  if (!parsed)
    return make_error(context, "`" + std::string(in[0].as_text()) + "` is not a node list: " + parsed.error().message);
  return Value::of(context.read.arena->own(std::move(*parsed)));
}

Value expand(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Hostlist)) return no_overload(context, "names", in);
  constexpr std::uint64_t kMaxNames = 65536;
  const std::optional<std::vector<std::string>> names = in[0].as_hostlist().expand(kMaxNames);
  if (!names) return make_error(context, "the node list has more than 65,536 names");
  const std::span<Value> values = context.read.arena->make_array<Value>(names->size());
  for (std::size_t i = 0; i < names->size(); ++i) values[i] = Value::of(context.read.arena->copy((*names)[i]));
  return make_list(values, context);
}

/// The name of the source field a value comes from: minAvailable or minMember.
Value field_name(Arguments in, EvalContext&) {
  const Origin* origin = in[0].origin();
  return Value::of(origin != nullptr && !origin->field.empty() ? origin->field.view()
                                                               : std::string_view("its setting"));
}

/// The workload that a workload, or a gang tied to one, stands for.
std::optional<std::size_t> workload_of(const Value& object, const Model* model) {
  if (!object.is(Kind::Object) || model == nullptr) return std::nullopt;
  if (object.object_type() == &kGangType) return static_cast<const Gang*>(object.object_data())->workload_index;
  if (object.object_type() != &kWorkloadType) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const Workload*>(object.object_data()) - model->workloads.data());
}

Value decided_host(Arguments in, EvalContext& context) {
  const std::optional<std::size_t> workload = workload_of(in[0], context.read.model);
  if (!workload || context.functions == nullptr)
    return make_error(context, "decided_host wants something with a workload");
  return context.functions->decided_host(context.functions->self, *workload, context);
}
Value decided_hybrid(Arguments in, EvalContext& context) {
  const std::optional<std::size_t> workload = workload_of(in[0], context.read.model);
  if (!workload || context.functions == nullptr)
    return make_error(context, "decided_hybrid wants something with a workload");
  return context.functions->decided_hybrid(context.functions->self, *workload, context);
}

Value decided(Arguments in, EvalContext& context) {
  const std::optional<std::size_t> workload = workload_of(in[0], context.read.model);
  if (!workload || context.functions == nullptr || !in[1].is(Kind::String))
    return make_error(context, "decided wants something with a workload, and the name of a decision");
  const Value value = context.functions->decided(context.functions->self, *workload, in[1].as_text(), context);
  if (value.is(Kind::Unknown) && in.size() > 2) return in[2];
  if (!value.is(Kind::Absent)) return value;
  return make_error(context, "there is no decision `" + std::string(in[1].as_text()) + "`");
}

/// What the file says, else the default: for choices that do not wait for a fact, never for judgements.
Value told(Arguments in, EvalContext& context) {
  const bool right = in[0].is(Kind::Object) && in[0].object_type() == &kWorkloadType && in[1].is(Kind::String);
  if (!right) return make_error(context, "told wants a workload, the name of a fact and a default");
  const std::optional<std::size_t> row = workload_fact_index(in[1].as_text());
  if (!row) return make_error(context, "a workload has no fact `" + std::string(in[1].as_text()) + "`");
  const Located<FactValue>& fact = static_cast<const Workload*>(in[0].object_data())->facts[*row];
  if (!fact.known()) return in[2];
  if (const auto* text = std::get_if<std::string>(&fact.value)) return Value::of(std::string_view(*text));
  if (const auto* flag = std::get_if<bool>(&fact.value)) return Value::of(*flag);
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value)) return Value::of(*whole);
  return Value::of(std::get<double>(fact.value));
}

/// A legal label of RFC 1123 made of a name: `Team_Vision 2` is team-vision-2. Empty where nothing is left of it, or
/// more than 63 characters, and for what no name has: letters of other alphabets, slashes, line breaks ...
Value object_name(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String)) return no_overload(context, "object_name", in);
  constexpr std::size_t kLongest = 63;
  std::string out;
  for (const char c : to_lower(in[0].as_text())) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool gap = c == ' ' || c == '_' || c == '.' || c == '-';
    if (!plain && !gap) return Value::of(std::string_view());
    if (plain) out += c;
    if (gap && !out.empty() && out.back() != '-') out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return Value::of(context.read.arena->copy(out.size() > kLongest ? "" : out));
}

/// Many names as one short text.
Value node_list(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::List)) return no_overload(context, "node_list", in);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < in[0].as_list().size; ++i) {
    const Value name = item(in[0], i);
    if (!name.is(Kind::String)) return no_overload(context, "node_list", in);
    names.emplace_back(name.as_text());
  }
  return Value::of(context.read.arena->copy(compress_hostlist(names)));
}

constexpr Overload kDecided[] = {{false, {&kDynType, &kStringType}, &kStringType},
                                 {false, {&kDynType, &kStringType, &kStringType}, &kStringType}};
constexpr Overload kTold[] = {{false, {&kDynType, &kStringType, &kDynType}, &kDynType}};
constexpr Overload kObjectName[] = {{false, {&kStringType}, &kStringType}};
constexpr Overload kNodeList[] = {{false, {&kStringListType}, &kStringType}};
constexpr Overload kDecidedHost[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kDecidedHybrid[] = {{false, {&kDynType}, &kBoolType}};
constexpr Overload kFieldName[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kToHostlist[] = {{false, {&kStringType}, &kHostlistType}, {false, {&kHostlistType}, &kHostlistType}};
constexpr Overload kNames[] = {{true, {&kHostlistType}, &kStringListType}};
constexpr Overload kToVersion[] = {{false, {&kStringType}, &kVersionType}, {false, {&kVersionType}, &kVersionType}};

constexpr Function kModelFunctions[] = {
    {"decided", kDecided,
     "what the decision for a workload, or for a gang's, says under a name (primary, host, hybrid, gang-scheduler "
     "...); "
     "while it is open the default given, if one is",
     decided},
    {"decided_host", kDecidedHost,
     "host that the decision for a workload, or for a gang's, gives: slurm, kubernetes or k3s", decided_host},
    {"decided_hybrid", kDecidedHybrid, "whether that decision is a hybrid of two planes", decided_hybrid},
    {"field", kFieldName, "name of the source field a value comes from, such as minAvailable", field_name},
    {"hostlist", kToHostlist, "a Slurm node list such as n[1-8]", to_hostlist},
    {"names", kNames, "the names of a node list in Slurm's order", expand},
    {"node_list", kNodeList, "many names as one short node list", node_list},
    {"object_name", kObjectName,
     "a legal name of a Kubernetes object made of letters, digits, blanks, dots, dashes and underscores; empty when "
     "that "
     "cannot be",
     object_name},
    {"told", kTold, "what a workload's file says of a fact, else the default given; for templates", told},
    {"version", kToVersion, "a release number such as 25.11", to_version},
};
static_assert(std::ranges::is_sorted(kModelFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> model_functions() { return kModelFunctions; }

}  // namespace muster
