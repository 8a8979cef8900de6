#include "support/workloads.h"

namespace muster::test {

Workload workload_without_facts(const std::string& name) {
  Workload workload;
  workload.name = set_to(name, Span{});
  workload.facts.resize(workload_facts().size());
  return workload;
}

void set_fact(Workload& workload, const std::string& name, FactValue value) {
  workload.facts[*workload_fact_index(name)] = set_to(std::move(value), Span{});
}

void clear_fact(Workload& workload, const std::string& name) { workload.facts[*workload_fact_index(name)] = {}; }

}  // namespace muster::test
