#pragma once

#include <string>
#include <vector>

#include "inventory/merge_topology.h"
#include "inventory/pools.h"

namespace muster {

/// All that a fleet file is written from.
struct FleetParts {
  const SourceMap& sources;
  const std::vector<Dump>& dumps;
  const std::vector<MergedNode>& nodes;
  const std::vector<Pool>& pools;
  const MergedTopology& topology;
  std::string name;  ///< given by the user; empty: the cluster's
};

std::string write_fleet(const FleetParts& parts);

}  // namespace muster
