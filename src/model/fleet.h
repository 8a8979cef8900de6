#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hostlist.h"
#include "model/object.h"

namespace muster {

struct FleetControlPlane {
  Located<std::string> kind;     ///< slurm, kubernetes, k3s, ray
  Located<std::string> version;
  std::map<std::string, bool> feature_gates;
};

struct NodePool {
  Located<std::string> name;
  Located<std::string> nodes;         ///< Slurm hostlist as written
  std::optional<Hostlist> hosts;
  Located<std::int64_t> gpus_per_node;
  Located<std::string> control_plane;
  Located<std::string> accelerator_model;
  std::map<std::string, std::string> labels;
  Span where;
};

/// A switch, block or the like; the level says which.
struct TopologyDomain {
  Located<std::string> name;
  Located<std::string> level;
  Located<std::string> parent;
  Located<std::string> nodes;
  std::optional<Hostlist> hosts;
  Span where;
};

struct Tenant {
  Located<std::string> name;
  Located<std::string> parent;
  Located<std::int64_t> guaranteed_gpus;
  Located<std::int64_t> limit_gpus;
  Span where;
};

/// One fleet file: what there is, whoever schedules it.
struct Fleet : Object {
  Located<std::string> stage;  ///< greenfield or production
  std::vector<FleetControlPlane> control_planes;
  std::vector<NodePool> node_pools;
  std::vector<std::string> levels;  ///< widest first
  Span levels_where;
  std::vector<TopologyDomain> domains;
  std::vector<Tenant> tenants;
};

}  // namespace muster
