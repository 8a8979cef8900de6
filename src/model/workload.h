#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "model/object.h"

namespace muster {

using FactValue = std::variant<bool, std::int64_t, double, std::string>;

enum class FactType { Bool, Int, Double, String };

template <>
struct EnumNames<FactType> {
  static constexpr std::string_view names[] = {"bool", "int", "double", "string"};
};

/// One thing a workloads file can say about a workload. This table is the only place a fact is described: the reader,
/// the decision tables, the schema and `muster explain` take it from here.
struct WorkloadFact {
  std::string_view name;  ///< dotted where the file nests: serving.min_replicas
  FactType type;
  bool can_change;        ///< whether "change this" is advice one can give
  std::int64_t minimum;   ///< of an int or double
  std::string_view doc;
};

/// Sorted by name.
std::span<const WorkloadFact> workload_facts();
/// Row of a fact, if there is one of that name.
std::optional<std::size_t> workload_fact_index(std::string_view name);

/// A workload as its owner describes it. An absent fact is unknown, never false.
struct Workload : Object {
  Located<std::string> tenant;
  std::vector<Located<FactValue>> facts;  ///< one a row of workload_facts()
  std::map<std::string, Located<std::string>, std::less<>> site_facts;  ///< that only a site's tables know, as text

  const Located<FactValue>& fact(std::string_view fact_name) const;
};

}  // namespace muster
