#include "facts/site_facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

namespace muster {
namespace {

std::string text_of(const FactValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
  return std::get<std::string>(value);
}

/// GPUs of all pools; nothing while one of them does not say.
std::optional<std::string> gpus(const Fleet& fleet) {
  std::int64_t total = 0;
  for (const NodePool& pool : fleet.node_pools) {
    const Located<FactValue>& each = pool.fact("gpus_per_node");
    if (!each.known()) return std::nullopt;
    total += pool.node_count * std::get<std::int64_t>(each.value);
  }
  return fleet.node_pools.empty() ? std::nullopt : std::optional(std::to_string(total));
}

std::optional<std::string> hierarchical_quotas(const Fleet& fleet) {
  if (fleet.tenants.empty()) return std::nullopt;
  return std::ranges::any_of(fleet.tenants, [](const Tenant& tenant) { return tenant.parent.is_set(); }) ? "true" : "false";
}

std::optional<std::string> generic_workload(const Fleet& fleet) {
  for (const FleetControlPlane& plane : fleet.control_planes) {
    const auto gate = plane.feature_gates.find("GenericWorkload");
    if (gate != plane.feature_gates.end()) return gate->second ? "true" : "false";
  }
  return std::nullopt;
}

struct Derived {
  FactDef def;
  std::optional<std::string> (*read)(const Fleet& fleet);
};
constexpr std::array kDerived{
    Derived{{"fleet.gpus", FactType::Int, false, 0, 9e15, {}, "GPUs of all pools together"}, gpus},
    Derived{{"fleet.hierarchical_quotas", FactType::Bool, true, 0, 0, {}, "some tenant stands below another"}, hierarchical_quotas},
    Derived{{"kubernetes.generic_workload", FactType::Bool, true, 0, 0, {}, "the feature gate GenericWorkload is on"}, generic_workload},
};

/// Of a pool: what describes hardware and software, not how many there are.
bool is_shared(const FactDef& fact) {
  return fact.name.starts_with("accelerator.") || fact.name.starts_with("fabric.") || fact.name.starts_with("runtime.");
}

}  // namespace

std::span<const FactDef> site_facts() {
  static const std::vector<FactDef> all = [] {
    std::vector<FactDef> out(fleet_facts().begin(), fleet_facts().end());
    for (const Derived& derived : kDerived) out.push_back(derived.def);
    std::ranges::copy_if(pool_facts(), std::back_inserter(out), is_shared);
    std::ranges::sort(out, {}, &FactDef::name);
    return out;
  }();
  return all;
}

SiteFacts read_site_facts(const Model& model) {
  SiteFacts out;
  if (model.fleets.size() != 1) return out;
  const Fleet& fleet = model.fleets.front();
  for (std::size_t i = 0; i < fleet.facts.size(); ++i) {
    if (fleet.facts[i].known()) out[std::string(fleet_facts()[i].name)] = text_of(fleet.facts[i].value);
  }
  for (const Derived& derived : kDerived) {
    if (std::optional<std::string> value = derived.read(fleet)) out[std::string(derived.def.name)] = std::move(*value);
  }
  for (const FactDef& fact : pool_facts()) {
    if (!is_shared(fact) || fleet.node_pools.empty()) continue;
    const Located<FactValue>& first = fleet.node_pools.front().fact(fact.name);
    const bool same = std::ranges::all_of(fleet.node_pools, [&](const NodePool& pool) { return pool.fact(fact.name).known() && pool.fact(fact.name).value == first.value; });
    if (same) out[std::string(fact.name)] = text_of(first.value);
  }
  return out;
}

}  // namespace muster
