#pragma once

#include <string>

#include "model/workload.h"

namespace muster::test {

/// A workload of which nothing is known but its name.
Workload workload_without_facts(const std::string& name);
void set_fact(Workload& workload, const std::string& name, FactValue value);
void clear_fact(Workload& workload, const std::string& name);

}  // namespace muster::test
