#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "source/located.h"

namespace muster {

using FactValue = std::variant<bool, std::int64_t, double, std::string>;

enum class FactType { Bool, Int, Double, String };

template <>
struct EnumNames<FactType> {
  static constexpr std::string_view names[] = {"bool", "int", "double", "string"};
};

/// One thing that a file of our own can say. Its table is the only place where it is described: the readers, the rule
/// language, the decision tables, the schemas and `muster explain` take it from there.
struct FactDef {
  std::string_view name;  ///< dotted where the file nests: serving.min_replicas
  FactType type;
  bool can_change;                          ///< whether "change this" is advice one can give
  double least;                             ///< of an int or double
  double most;                              ///< of an int or double
  std::span<const std::string_view> words;  ///< of a string that can only be one of these
  std::string_view doc;
};

/// Facts of a workload, of a fleet and of a node pool; each table sorted by name.
std::span<const FactDef> workload_facts();
std::span<const FactDef> fleet_facts();
std::span<const FactDef> pool_facts();

/// Row of a fact, if there is one of that name.
std::optional<std::size_t> fact_index(std::span<const FactDef> facts, std::string_view name);

/// What is wrong with a value of the fact's type, such as "must be at least 1"; empty when nothing is.
std::string objection(const FactDef& fact, const FactValue& value);

/// The value of a fact in the list of an object, one a row of its table; the fact has to exist.
const Located<FactValue>& fact_of(const std::vector<Located<FactValue>>& values, std::span<const FactDef> facts,
                                  std::string_view name);

}  // namespace muster
