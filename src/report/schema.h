#pragma once

#include <string>

namespace muster {

/// JSON Schema (draft-07) of a workloads file; its facts are the rows of workload_facts().
std::string workloads_schema();

/// JSON Schema (draft-07) of a fleet file; its facts are the rows of fleet_facts() and pool_facts().
std::string fleet_schema();

}  // namespace muster
