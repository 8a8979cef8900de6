#include <algorithm>
#include <array>

#include "facts/fact_fields.h"
#include "facts/read.h"
#include "facts/types.h"
#include "model/fleet_topology.h"

namespace muster {
namespace {

constexpr Type kDomainObject = object_of(kDomainType);
constexpr Type kDomainList = list_of(kDomainObject);
constexpr Type kPoolObject = object_of(kPoolType);
constexpr Type kPoolList = list_of(kPoolObject);
constexpr Type kFleetObject = object_of(kFleetType);
constexpr Type kTenantObject = object_of(kTenantType);
constexpr Type kTenantList = list_of(kTenantObject);

const Fleet& fleet_of(const void* object) { return *static_cast<const Fleet*>(object); }
SharedText fleet_id(const void* object, const ReadContext&) { return fleet_of(object).id; }
template <class T>
SharedText name_id(const void* object, const ReadContext&) {
  return static_cast<const T*>(object)->name.value;
}

Value list_of_values(std::span<Value> values, const ReadContext& context) {
  return Value::of(context.arena->make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                  return static_cast<const Value*>(base)[i];
                                                }}));
}

template <const ObjectType& type, class T>
Value chosen(const std::vector<T>& items, const std::vector<std::size_t>& indexes, const ReadContext& context) {
  const std::span<Value> values = context.arena->make_array<Value>(indexes.size());
  for (std::size_t i = 0; i < indexes.size(); ++i) values[i] = Value::object(&type, &items[indexes[i]]);
  return list_of_values(values, context);
}

/// Domains ordered so that children come before their parents.
Value bottom_up(const void* object, const ReadContext& context) {
  return chosen<kDomainType>(fleet_of(object).domains, domains_bottom_up(fleet_of(object)), context);
}
Value switches(const void* object, const ReadContext& context) {
  return chosen<kDomainType>(fleet_of(object).domains, switches_bottom_up(fleet_of(object)), context);
}
Value blocks(const void* object, const ReadContext& context) {
  return chosen<kDomainType>(fleet_of(object).domains, plan_blocks(fleet_of(object)).blocks, context);
}
Value tenants_ordered(const void* object, const ReadContext& context) {
  return chosen<kTenantType>(fleet_of(object).tenants, tenants_top_down(fleet_of(object)), context);
}
Value block_sizes(const void* object, const ReadContext& context) {
  const std::vector<std::int64_t> sizes = plan_blocks(fleet_of(object)).sizes;
  const std::span<Value> values = context.arena->make_array<Value>(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) values[i] = Value::of(sizes[i]);
  return list_of_values(values, context);
}
Value block_sizes_why(const void* object, const ReadContext& context) {
  return Value::of(context.arena->copy(plan_blocks(fleet_of(object)).why));
}

Value of_slurm(const void* object, const ReadContext&) {
  const Fleet& fleet = fleet_of(object);
  return Value::object(&kFleetType, fleet.of_slurm.empty() ? &fleet : &fleet.of_slurm.front());
}

/// The fleet that a domain is part of.
const Fleet& fleet_with(const TopologyDomain& domain, const ReadContext& context) {
  const auto holds = [&](const Fleet& fleet) {
    return !fleet.domains.empty() && &fleet.domains.front() <= &domain && &domain <= &fleet.domains.back();
  };
  const auto either = [&](const Fleet& fleet) { return holds(fleet) || std::ranges::any_of(fleet.of_slurm, holds); };
  const Fleet& fleet = *std::ranges::find_if(context.model->fleets, either);
  return holds(fleet) ? fleet : fleet.of_slurm.front();
}
const TopologyDomain& domain_of(const void* object) { return *static_cast<const TopologyDomain*>(object); }
Value domain_is_block(const void* object, const ReadContext&) { return Value::of(is_block(domain_of(object))); }
Value domain_above(const void* object, const ReadContext& context) {
  const Fleet& fleet = fleet_with(domain_of(object), context);
  return chosen<kDomainType>(fleet.domains, domains_above(fleet, domain_of(object)), context);
}
Value domain_nodes_below(const void* object, const ReadContext& context) {
  return Value::of(context.arena->copy(nodes_below(fleet_with(domain_of(object), context), domain_of(object))));
}
Value switch_node_list(const void* object, const ReadContext& context) {
  return Value::of(context.arena->copy(switch_nodes(fleet_with(domain_of(object), context), domain_of(object))));
}
Value switch_children_list(const void* object, const ReadContext& context) {
  return Value::of(context.arena->copy(
      compress_hostlist(switch_children(fleet_with(domain_of(object), context), domain_of(object)))));
}

Value texts(const std::vector<std::string>& names, const ReadContext& context) {
  const std::span<Value> values = context.arena->make_array<Value>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) values[i] = Value::of(context.arena->copy(names[i]));
  return Value::of(context.arena->make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                  return static_cast<const Value*>(base)[i];
                                                }}));
}

Value unplaced(const void* object, const ReadContext& context) {
  return texts(unplaced_slurm_nodes(fleet_of(object)), context);
}
Value without_block(const void* object, const ReadContext& context) {
  return texts(nodes_in_no_block(fleet_of(object)), context);
}
Value repeated(const void* object, const ReadContext& context) {
  return texts(repeated_domains(fleet_of(object)), context);
}
Value placed_twice(const void* object, const ReadContext& context) {
  return texts(nodes_placed_twice(fleet_of(object)), context);
}

/// Planes that nobody is said to own, of a fleet that names an owner for another or is in production.
Value unowned_planes(const void* object, const ReadContext& context) {
  struct Row {
    std::string_view fact;
    std::string_view plane;
  };
  constexpr std::array kRows{Row{"planes.workload.owner", "workload"}, Row{"planes.node_runtime.owner", "node runtime"},
                             Row{"planes.fleet.owner", "fleet"}};
  const Fleet& fleet = fleet_of(object);
  std::vector<std::string> out;
  for (const Row& row : kRows) {
    if (fleet.fact(row.fact).state == State::Absent) out.emplace_back(row.plane);
  }
  const Located<FactValue>& stage = fleet.fact("stage");
  const bool runs = stage.is_set() && std::get<std::string>(stage.value) == "production";
  return texts(out.size() < kRows.size() || runs ? out : std::vector<std::string>{}, context);
}

/// Nodes of the pools that the file gives to a control plane.
std::int64_t nodes_under(const Fleet& fleet, std::string_view plane) {
  std::int64_t total = 0;
  for (const NodePool& pool : fleet.node_pools) {
    const Located<FactValue>& fact = pool.fact("control_plane");
    if (fact.is_set() && std::get<std::string>(fact.value) == plane) total += pool.node_count;
  }
  return total;
}
Value k3s_nodes(const void* object, const ReadContext&) { return Value::of(nodes_under(fleet_of(object), "k3s")); }
Value kubernetes_nodes(const void* object, const ReadContext&) {
  return Value::of(nodes_under(fleet_of(object), "kubernetes"));
}

constexpr Type kIntListType{TypeKind::List, &kIntType, nullptr, nullptr, {}};
const std::array kFleetFields{
    Field{"block_sizes", kIntListType, kAlways, "BlockSizes that follow from its blocks, the smallest first",
          block_sizes},
    Field{"block_sizes_why", kStringType, kAlways, "why these", block_sizes_why},
    Field{"blocks", kDomainList, kAlways, "domains of the level block, those of one parent together", blocks},
    Field{"domains", kDomainList, kAlways, "topology domains in the order of the file",
          read_objects<Fleet, &Fleet::domains, kDomainType>},
    Field{"domains_bottom_up", kDomainList, kAlways, "topology domains, children before their parents", bottom_up},
    Field{"k3s_nodes", kIntType, kAlways, "nodes of its pools under k3s", k3s_nodes},
    Field{"kubernetes_nodes", kIntType, kAlways, "nodes of its pools under Kubernetes", kubernetes_nodes},
    Field{"levels", kStringListType, kAlways, "topology levels, widest first", read<Fleet, &Fleet::levels>},
    Field{"name", kStringType, kAlways, "its name", read<Fleet, &Object::name>},
    Field{"node_pools", kPoolList, kAlways, "pools of alike nodes", read_objects<Fleet, &Fleet::node_pools, kPoolType>},
    Field{"nodes_without_block", kStringListType, kAlways, "where there are blocks: nodes of domains that are none",
          without_block},
    Field{"of_slurm", kFleetObject, kAlways, "itself with Slurm's nodes alone in its topology domains", of_slurm},
    Field{"placed_twice", kStringListType, kAlways, "nodes that two domains name", placed_twice},
    Field{"repeated_domains", kStringListType, kAlways, "names that more than one domain has", repeated},
    Field{"switches", kDomainList, kAlways, "domains that are no blocks, children before their parents", switches},
    Field{"tenants", kTenantList, kAlways, "teams and what they are promised",
          read_objects<Fleet, &Fleet::tenants, kTenantType>},
    Field{"tenants_top_down", kTenantList, kAlways,
          "tenants, parents before their children; those of a cycle are left out", tenants_ordered},
    Field{"unowned_planes", kStringListType, kAlways,
          "planes without an owner, where another has one or the fleet is in production", unowned_planes},
    Field{"unplaced_nodes", kStringListType, kAlways, "nodes of Slurm pools that no domain names", unplaced},
};
const std::array kPoolFields{
    Field{"name", kStringType, kAlways, "its name", read<NodePool, &NodePool::name>},
    Field{"node_count", kIntType, kAlways, "number of its nodes", read<NodePool, &NodePool::node_count>},
    Field{"nodes", kStringType, kOptional, "its node list", read<NodePool, &NodePool::nodes>},
};
const std::vector<Field> kFleetFactFields =
    with_fact_fields<Fleet, &Fleet::facts, fleet_facts, Presence::Always>(kFleetFields);
const std::vector<Field> kPoolFactFields =
    with_fact_fields<NodePool, &NodePool::facts, pool_facts, Presence::Optional>(kPoolFields);

constexpr std::array kDomainFields{
    Field{"above", kDomainList, kAlways, "the domains above it, the nearest first", domain_above},
    Field{"children", kStringListType, kAlways, "domains that name it as their parent",
          read<TopologyDomain, &TopologyDomain::children>},
    Field{"children_list", kStringType, kAlways, "the same as a Slurm list",
          read<TopologyDomain, &TopologyDomain::children_list>},
    Field{"is_block", kBoolType, kAlways, "its level is called block", domain_is_block},
    Field{"level", kStringType, kOptional, "its level", read<TopologyDomain, &TopologyDomain::level>},
    Field{"name", kStringType, kAlways, "its name", read<TopologyDomain, &TopologyDomain::name>},
    Field{"node_list", kStringType, kAlways, "its nodes as Slurm prints them",
          read<TopologyDomain, &TopologyDomain::node_list>},
    Field{"nodes_below", kStringType, kAlways, "its nodes and those of all domains below it as one list",
          domain_nodes_below},
    Field{"parent", kStringType, kOptional, "the domain above it", read<TopologyDomain, &TopologyDomain::parent>},
    Field{"parent_known", kBoolType, kAlways, "it has no parent, or one that exists",
          read<TopologyDomain, &TopologyDomain::parent_known>},
    Field{"switch_children_list", kStringType, kAlways, "the switches right below it as a Slurm list",
          switch_children_list},
    Field{"switch_node_list", kStringType, kAlways, "its nodes and those of the blocks right below it",
          switch_node_list},
};
constexpr std::array kTenantFields{
    Field{"guaranteed_gpus", kIntType, kOptional, "GPUs that are its own", read<Tenant, &Tenant::guaranteed_gpus>},
    Field{"limit_gpus", kIntType, kOptional, "most GPUs it may use", read<Tenant, &Tenant::limit_gpus>},
    Field{"name", kStringType, kAlways, "its name", read<Tenant, &Tenant::name>},
    Field{"parent", kStringType, kOptional, "the tenant above it", read<Tenant, &Tenant::parent>},
};

}  // namespace

const ObjectType kFleetType{"fleet", "what a fleet file describes", kFleetFactFields, where_of<Fleet>, fleet_id};
const ObjectType kPoolType{"node_pool", "a pool of alike nodes", kPoolFactFields, where_of<NodePool>,
                           name_id<NodePool>};
const ObjectType kDomainType{"topology_domain", "a switch, rack or block of a fleet file", kDomainFields,
                             where_of<TopologyDomain>, name_id<TopologyDomain>};
const ObjectType kTenantType{"tenant", "a team and what it is promised", kTenantFields, where_of<Tenant>,
                             name_id<Tenant>};

}  // namespace muster
