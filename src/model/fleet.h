#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hostlist.h"
#include "model/fact.h"
#include "model/object.h"

namespace muster {

struct FleetControlPlane {
  Located<std::string> kind;  ///< slurm, kubernetes, k3s, ray
  Located<std::string> version;
  Located<std::string> platform;  ///< whose Kubernetes it is: an id of src/model/device_platforms.cc
  std::map<std::string, bool> feature_gates;
};

/// A taint as the fleet file has it: its key alone, or all of it.
struct PoolTaint {
  std::string key;
  std::optional<std::string> value;
  std::optional<std::string> effect;
};

struct NodePool {
  static constexpr std::string_view kWord = "node pool";
  Located<std::string> name;
  Located<std::string> nodes;  ///< Slurm hostlist as written
  std::optional<Hostlist> hosts;
  std::vector<Located<FactValue>> facts;  ///< one a row of pool_facts()
  std::int64_t node_count = 0;
  std::map<std::string, std::string> labels;
  std::vector<PoolTaint> taints;  ///< those that keep pods away
  Span where;

  const Located<FactValue>& fact(std::string_view fact_name) const { return fact_of(facts, pool_facts(), fact_name); }
};

/// A switch, block or the like; the level says which.
struct TopologyDomain {
  Located<std::string> name;
  Located<std::string> level;
  Located<std::string> parent;
  Located<std::string> nodes;
  std::optional<Hostlist> hosts;
  // Filled in by analyse_fleet.
  bool parent_known = true;
  std::vector<std::string> children;     ///< domains that name it as their parent
  std::vector<std::size_t> children_at;  ///< the same in Fleet::domains
  std::string children_list;             ///< the same as a Slurm list
  std::string node_list;                 ///< its nodes as Slurm prints them
  Span where;
};

struct Tenant {
  Located<std::string> name;
  Located<std::string> parent;
  Located<std::int64_t> guaranteed_gpus;
  Located<std::int64_t> limit_gpus;
  Span where;
};

/// What runs there besides: the release of Volcano, Kueue ...
struct FleetTarget {
  std::string name;
  Located<std::string> version;
};

/// One fleet file: what there is, whoever schedules it.
struct Fleet : Object {
  static constexpr std::string_view kWord = "fleet";
  std::vector<Located<FactValue>> facts;  ///< one a row of fleet_facts()
  std::vector<FleetControlPlane> control_planes;
  std::vector<FleetTarget> targets;
  std::vector<NodePool> node_pools;
  std::vector<std::string> levels;  ///< widest first
  Span levels_where;
  std::vector<TopologyDomain> domains;
  std::vector<Tenant> tenants;
  bool lists_control_planes = false;  ///< the file has the key, be the list empty
  bool lists_domains = false;
  bool lists_tenants = false;
  std::vector<Fleet> of_slurm;  ///< itself with Slurm's nodes alone in its domains, where other planes have pools

  const Located<FactValue>& fact(std::string_view fact_name) const { return fact_of(facts, fleet_facts(), fact_name); }
};

/// Fills in what follows from the domains together.
void analyse_fleet(Fleet& fleet);

/// Whether the pool is under Slurm, or under nobody yet.
bool is_slurm_pool(const NodePool& pool);

/// Indexes of the domains, children before their parents; domains of a cycle are left out.
std::vector<std::size_t> domains_bottom_up(const Fleet& fleet);

/// Nodes of pools under Slurm (or under nobody yet) that no domain names, in the order of the file.
std::vector<std::string> unplaced_slurm_nodes(const Fleet& fleet);

/// Nodes that more than one domain names, sorted.
std::vector<std::string> nodes_placed_twice(const Fleet& fleet);

}  // namespace muster
