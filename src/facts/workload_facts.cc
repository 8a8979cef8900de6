#include <deque>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr const Type& type_of(FactType type) {
  switch (type) {
    case FactType::Bool: return kBoolType;
    case FactType::Int: return kIntType;
    case FactType::Double: return kDoubleType;
    case FactType::String: return kStringType;
  }
  return kDynType;
}

/// What a workloads file does not say is unknown, never false.
template <std::size_t row>
Value read_fact(const void* object, const ReadContext& context) {
  const auto& workload = *static_cast<const Workload*>(object);
  const Located<FactValue>& fact = workload.facts[row];
  if (fact.state != State::Absent) return to_value(fact, context);
  const std::string needs = "`" + std::string(workload_facts()[row].name) + "` of workload `" + workload.name.value + "`";
  return Value::unknown(context.arena->make(UnknownNeed{context.arena->copy(needs), nullptr})).with_origin(&fact);
}

constexpr std::size_t kMaxFacts = 64;

/// One reader a row: a field is a plain function.
template <std::size_t... rows>
constexpr auto readers(std::index_sequence<rows...>) {
  return std::array<Value (*)(const void*, const ReadContext&), sizeof...(rows)>{read_fact<rows>...};
}

/// A field for each row of workload_facts(), `serving.metric` as serving_metric, and those every workload has.
std::span<const Field> workload_fields() {
  static const std::vector<Field> fields = [] {
    static std::deque<std::string> names;
    constexpr auto kReaders = readers(std::make_index_sequence<kMaxFacts>());
    std::vector<Field> out{
        Field{"name", kStringType, Presence::Always, "its name", read<Workload, &Object::name>},
        Field{"tenant", kStringType, Presence::Optional, "the team it belongs to", read<Workload, &Workload::tenant>},
    };
    for (std::size_t row = 0; row < workload_facts().size(); ++row) {
      const WorkloadFact& fact = workload_facts()[row];
      names.push_back(replace_all(std::string(fact.name), ".", "_"));
      out.push_back(Field{names.back(), type_of(fact.type), Presence::Always, fact.doc, kReaders[row]});
    }
    std::ranges::sort(out, {}, &Field::name);
    return out;
  }();
  return fields;
}

std::string workload_id(const void* object, const ReadContext&) { return static_cast<const Workload*>(object)->id; }

}  // namespace

const ObjectType kWorkloadType{"workload", "a workload of a workloads file", workload_fields(), where_of<Workload>, workload_id};

}  // namespace muster
