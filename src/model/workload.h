#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/fact.h"
#include "model/object.h"

namespace muster {

inline std::optional<std::size_t> workload_fact_index(std::string_view name) {
  return fact_index(workload_facts(), name);
}

/// A workload as its owner describes it. An absent fact is unknown, never false.
struct Workload : Object {
  static constexpr std::string_view kWord = "workload";
  Located<std::string> tenant;
  std::vector<Located<FactValue>> facts;  ///< one a row of workload_facts()

  const Located<FactValue>& fact(std::string_view fact_name) const {
    return fact_of(facts, workload_facts(), fact_name);
  }
};

}  // namespace muster
