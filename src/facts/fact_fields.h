#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "facts/read.h"
#include "model/fact.h"

// The rows of a fact table as fields of the rule language. Included only by the files that list fields.

namespace muster {

inline Type type_of(const FactDef& fact) {
  switch (fact.type) {
    case FactType::Bool: return kBoolType;
    case FactType::Int: return kIntType;
    case FactType::Double: return kDoubleType;
    case FactType::String: return Type{TypeKind::String, nullptr, nullptr, nullptr, fact.words};
  }
  return kDynType;
}

using FactTable = std::span<const FactDef> (*)();

/// Reads fact `row` of a T. Where a file is silent, a fact that always has a value is unknown, never false.
template <class T, std::vector<Located<FactValue>> T::*facts, FactTable table, Presence presence, std::size_t row>
Value read_fact(const void* object, const ReadContext& context) {
  const T& owner = *static_cast<const T*>(object);
  const Located<FactValue>& fact = (owner.*facts)[row];
  if (fact.state != State::Absent || presence == Presence::Optional) return to_value(fact, context);
  const std::string needs =
      "`" + std::string(table()[row].name) + "` of " + std::string(T::kWord) + " `" + owner.name.value + "`";
  return Value::unknown(context.arena->make(UnknownNeed{context.arena->copy(needs), nullptr})).with_origin(&fact);
}

/// The names by which expressions read facts: serving_metric of `serving.metric`.
inline std::vector<std::string> field_names(std::span<const FactDef> facts) {
  std::vector<std::string> out;
  for (const FactDef& fact : facts) out.push_back(replace_all(std::string(fact.name), ".", "_"));
  return out;
}

/// `own` with a field for each row of the table, `serving.metric` as serving_metric; sorted by name.
template <class T, std::vector<Located<FactValue>> T::*facts, FactTable table, Presence presence>
std::vector<Field> with_fact_fields(std::span<const Field> own) {
  constexpr std::size_t kMaxFacts = 64;
  // One reader a row: a field is a plain function.
  constexpr auto kReaders = []<std::size_t... rows>(std::index_sequence<rows...>) {
    return std::array<Value (*)(const void*, const ReadContext&), sizeof...(rows)>{
        read_fact<T, facts, table, presence, rows>...};
  }
  (std::make_index_sequence<kMaxFacts>());
  static const std::vector<std::string> names = field_names(table());
  std::vector<Field> out(own.begin(), own.end());
  for (std::size_t row = 0; row < table().size(); ++row) {
    const FactDef& fact = table()[row];
    out.push_back(Field{names[row], type_of(fact), presence, fact.doc, kReaders[row]});
  }
  std::ranges::sort(out, {}, &Field::name);
  return out;
}

}  // namespace muster
