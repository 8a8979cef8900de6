#include <array>

#include "facts/fact_fields.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr auto kAlways = Presence::Always;
constexpr auto kOptional = Presence::Optional;
constexpr Type kDomainObject = object_of(kDomainType);
constexpr Type kDomainList = list_of(kDomainObject);
constexpr Type kPoolObject = object_of(kPoolType);
constexpr Type kPoolList = list_of(kPoolObject);
constexpr Type kTenantObject = object_of(kTenantType);
constexpr Type kTenantList = list_of(kTenantObject);

const Fleet& fleet_of(const void* object) { return *static_cast<const Fleet*>(object); }
std::string fleet_id(const void* object, const ReadContext&) { return fleet_of(object).id; }
template <class T>
std::string name_id(const void* object, const ReadContext&) {
  return static_cast<const T*>(object)->name.value;
}

/// Domains ordered so that children come before their parents.
Value bottom_up(const void* object, const ReadContext& context) {
  const Fleet& fleet = fleet_of(object);
  const std::vector<std::size_t> order = domains_bottom_up(fleet);
  const std::span<Value> values = context.arena->make_array<Value>(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = Value::object(&kDomainType, &fleet.domains[order[i]]);
  return Value::of(context.arena->make(ListData{
      values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
}

Value texts(const std::vector<std::string>& names, const ReadContext& context) {
  const std::span<Value> values = context.arena->make_array<Value>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) values[i] = Value::of(context.arena->copy(names[i]));
  return Value::of(context.arena->make(ListData{
      values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
}

Value unplaced(const void* object, const ReadContext& context) { return texts(unplaced_slurm_nodes(fleet_of(object)), context); }
Value placed_twice(const void* object, const ReadContext& context) { return texts(nodes_placed_twice(fleet_of(object)), context); }

const std::array kFleetFields{
    Field{"domains", kDomainList, kAlways, "topology domains in the order of the file", read_objects<Fleet, &Fleet::domains, kDomainType>},
    Field{"domains_bottom_up", kDomainList, kAlways, "topology domains, children before their parents", bottom_up},
    Field{"levels", kStringListType, kAlways, "topology levels, widest first", read<Fleet, &Fleet::levels>},
    Field{"name", kStringType, kAlways, "its name", read<Fleet, &Object::name>},
    Field{"node_pools", kPoolList, kAlways, "pools of alike nodes", read_objects<Fleet, &Fleet::node_pools, kPoolType>},
    Field{"placed_twice", kStringListType, kAlways, "nodes that two domains name", placed_twice},
    Field{"tenants", kTenantList, kAlways, "teams and what they are promised", read_objects<Fleet, &Fleet::tenants, kTenantType>},
    Field{"unplaced_nodes", kStringListType, kAlways, "nodes of Slurm pools that no domain names", unplaced},
};
const std::array kPoolFields{
    Field{"name", kStringType, kAlways, "its name", read<NodePool, &NodePool::name>},
    Field{"node_count", kIntType, kAlways, "number of its nodes", read<NodePool, &NodePool::node_count>},
    Field{"nodes", kStringType, kOptional, "its node list", read<NodePool, &NodePool::nodes>},
};
const std::vector<Field> kFleetFactFields = with_fact_fields<Fleet, &Fleet::facts, fleet_facts, Presence::Always>(kFleetFields);
const std::vector<Field> kPoolFactFields = with_fact_fields<NodePool, &NodePool::facts, pool_facts, Presence::Optional>(kPoolFields);

constexpr std::array kDomainFields{
    Field{"children", kStringListType, kAlways, "domains that name it as their parent", read<TopologyDomain, &TopologyDomain::children>},
    Field{"children_list", kStringType, kAlways, "the same as a Slurm list", read<TopologyDomain, &TopologyDomain::children_list>},
    Field{"level", kStringType, kOptional, "its level", read<TopologyDomain, &TopologyDomain::level>},
    Field{"name", kStringType, kAlways, "its name", read<TopologyDomain, &TopologyDomain::name>},
    Field{"node_list", kStringType, kAlways, "its nodes as Slurm prints them", read<TopologyDomain, &TopologyDomain::node_list>},
    Field{"parent", kStringType, kOptional, "the domain above it", read<TopologyDomain, &TopologyDomain::parent>},
    Field{"parent_known", kBoolType, kAlways, "it has no parent, or one that exists", read<TopologyDomain, &TopologyDomain::parent_known>},
};
constexpr std::array kTenantFields{
    Field{"guaranteed_gpus", kIntType, kOptional, "GPUs that are its own", read<Tenant, &Tenant::guaranteed_gpus>},
    Field{"limit_gpus", kIntType, kOptional, "most GPUs it may use", read<Tenant, &Tenant::limit_gpus>},
    Field{"name", kStringType, kAlways, "its name", read<Tenant, &Tenant::name>},
    Field{"parent", kStringType, kOptional, "the tenant above it", read<Tenant, &Tenant::parent>},
};

}  // namespace

const ObjectType kFleetType{"fleet", "what a fleet file describes", kFleetFactFields, where_of<Fleet>, fleet_id};
const ObjectType kPoolType{"node_pool", "a pool of alike nodes", kPoolFactFields, where_of<NodePool>, name_id<NodePool>};
const ObjectType kDomainType{"topology_domain", "a switch, rack or block of a fleet file", kDomainFields, where_of<TopologyDomain>, name_id<TopologyDomain>};
const ObjectType kTenantType{"tenant", "a team and what it is promised", kTenantFields, where_of<Tenant>, name_id<Tenant>};

}  // namespace muster
