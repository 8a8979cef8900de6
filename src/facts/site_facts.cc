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

std::optional<std::string> truth(bool value) { return value ? "true" : "false"; }

std::optional<double> number(const Fleet& fleet, std::string_view name) { return number_of(fleet.fact(name)); }

std::optional<std::string> gpus(const Fleet& fleet) {
  const std::optional<std::int64_t> count = gpu_count(fleet);
  return count ? std::optional(std::to_string(*count)) : std::nullopt;
}

std::optional<std::string> hierarchical_quotas(const Fleet& fleet) {
  if (!fleet.lists_tenants) return std::nullopt;
  return truth(std::ranges::any_of(fleet.tenants, [](const Tenant& tenant) { return tenant.parent.is_set(); }));
}

std::optional<std::string> has_quotas(const Fleet& fleet) {
  if (!fleet.lists_tenants) return std::nullopt;
  return truth(std::ranges::any_of(fleet.tenants, [](const Tenant& tenant) {
    return tenant.guaranteed_gpus.is_set() || tenant.limit_gpus.is_set();
  }));
}

std::optional<std::string> has_scheduler(const Fleet& fleet) {
  return fleet.lists_control_planes ? truth(!fleet.control_planes.empty()) : std::nullopt;
}

std::optional<std::string> has_topology(const Fleet& fleet) {
  return fleet.lists_domains ? truth(!fleet.domains.empty()) : std::nullopt;
}

/// A plane that the file lists, or that some pool belongs to; one that nobody mentions is not there.
template <const char* kind>
std::optional<std::string> plane_exists(const Fleet& fleet) {
  const auto listed = [](const FleetControlPlane& plane) { return plane.kind.value == kind; };
  const auto schedules = [](const NodePool& pool) { return word_of(pool.fact("control_plane")) == kind; };
  return truth(std::ranges::any_of(fleet.control_planes, listed) || std::ranges::any_of(fleet.node_pools, schedules));
}
constexpr char kSlurmPlane[] = "slurm";
constexpr char kKubernetesPlane[] = "kubernetes";
constexpr char kK3sPlane[] = "k3s";

std::optional<std::string> gate(const Fleet& fleet, const std::string& name) {
  for (const FleetControlPlane& plane : fleet.control_planes) {
    const auto found = plane.feature_gates.find(name);
    if (found != plane.feature_gates.end()) return truth(found->second);
  }
  return std::nullopt;
}
std::optional<std::string> generic_workload(const Fleet& fleet) { return gate(fleet, "GenericWorkload"); }
std::optional<std::string> resource_allocation(const Fleet& fleet) { return gate(fleet, "DynamicResourceAllocation"); }

/// Source: "very often that number is smaller than a year of two-plane operational overhead" (orchestration decision
/// guide), written as stranded_share * GPUs * price * 8760 > engineers * salary.
std::optional<std::string> convergence_pays(const Fleet& fleet) {
  const std::optional<TwoPlaneCost> cost = two_plane_cost(fleet);
  return cost ? truth(cost->stranded_usd > cost->engineers_usd) : std::nullopt;
}

std::optional<std::string> team_pays(const Fleet& fleet) {
  const std::optional<PlatformCost> cost = platform_cost(fleet);
  return cost ? truth(cost->own_usd <= cost->bought_usd) : std::nullopt;
}

struct Derived {
  FactDef def;
  std::optional<std::string> (*read)(const Fleet& fleet);
};

constexpr FactDef follows(std::string_view name, std::string_view doc, bool can_change = true) {
  return {name, FactType::Bool, can_change, 0, 0, {}, doc};
}

constexpr std::array kDerived{
    Derived{follows("economics.convergence_pays",
                    "what two planes strand costs more than the engineers who join them: stranded_share * fleet.gpus * "
                    "gpu_hour_usd * 8760 > two_plane_engineers * engineer_usd_per_year"),
            convergence_pays},
    Derived{follows("economics.team_pays",
                    "an own platform costs less than a bought one: platform_engineers * engineer_usd_per_year + "
                    "bought_goodput_gain * fleet.gpus * gpu_hour_usd * 8760 <= licence_usd_per_gpu_year * fleet.gpus + "
                    "bought_platform_engineers (none if not given) * engineer_usd_per_year"),
            team_pays},
    Derived{
        follows("existing.k3s", "a k3s is there, or planned: a control plane of the fleet file, or of a pool", false),
        plane_exists<kK3sPlane>},
    Derived{follows("existing.kubernetes",
                    "a Kubernetes is there, or planned: a control plane of the fleet file, or of a pool", false),
            plane_exists<kKubernetesPlane>},
    Derived{follows("existing.slurm", "a Slurm is there, or planned: a control plane of the fleet file, or of a pool",
                    false),
            plane_exists<kSlurmPlane>},
    Derived{{"fleet.gpus", FactType::Int, false, 0, 9e15, {}, "GPUs of all pools together"}, gpus},
    Derived{follows("fleet.hierarchical_quotas", "some tenant stands below another"), hierarchical_quotas},
    Derived{follows("fleet.quotas", "some tenant has guaranteed or limited GPUs"), has_quotas},
    Derived{follows("fleet.scheduler", "some control plane schedules it"), has_scheduler},
    Derived{follows("fleet.topology", "its topology domains are written down"), has_topology},
    Derived{follows("kubernetes.dynamic_resource_allocation", "the feature gate DynamicResourceAllocation is on"),
            resource_allocation},
    Derived{follows("kubernetes.generic_workload", "the feature gate GenericWorkload is on"), generic_workload},
};

constexpr std::array<std::string_view, 11> kChoices{"addons",         "build-or-buy", "control-plane", "dra",
                                                    "gang-scheduler", "hybrid",       "isolation",     "maturity",
                                                    "placement",      "serving",      "topology-model"};

/// What the program itself fills in when it asks a table.
constexpr std::array kAsked{
    FactDef{"choice", FactType::String, false, 0, 0, kChoices, "the decision that is asked about"},
    FactDef{"work.kubernetes",
            FactType::Bool,
            false,
            0,
            0,
            {},
            "some workload belongs on Kubernetes or k3s, or is a service beside Slurm"},
    FactDef{"work.slurm", FactType::Bool, false, 0, 0, {}, "some workload belongs on Slurm"},
    FactDef{"work.slurm_share",
            FactType::Double,
            false,
            0,
            1,
            {},
            "share of the GPU-hours of all workloads that Slurm carries, 0 to 1"},
};

constexpr std::array<std::string_view, 3> kGangKinds{"jobs", "mixed", "spark"};
constexpr std::array<std::string_view, 4> kTodayPlanes{"k3s", "kubernetes", "slurm", "unsaid"};

/// What the program gathers from all workloads together, and from what ties a workload to a plane.
constexpr std::array kGathered{
    FactDef{"cluster.gangs", FactType::String, false, 0, 0, kGangKinds,
            "what the gangs of its cluster are: all of them Kubernetes Jobs, all of them Spark applications, or mixed"},
    FactDef{
        "cluster.shares_gpus", FactType::Bool, false, 0, 0, {}, "some work of its cluster asks for shares of a GPU"},
    FactDef{"kubernetes.platform_lacks_claims",
            FactType::Bool,
            true,
            0,
            0,
            {},
            "the platform of its Kubernetes, which the fleet file or nodes show, hands out no devices by claims; one "
            "that nobody shows is taken to do so"},
    FactDef{"others.need_kubernetes",
            FactType::Bool,
            false,
            0,
            0,
            {},
            "some workload of the fleet calls for a Kubernetes: a service, or a container that is not for the edge"},
    FactDef{"others.need_slurm",
            FactType::Bool,
            false,
            0,
            0,
            {},
            "some workload of the fleet calls for a Slurm: a gang on bare metal"},
    FactDef{"today.plane", FactType::String, false, 0, 0, kTodayPlanes,
            "where it runs today: an artifact tied to it, the pool that it names or its kind says so; else unsaid"},
    FactDef{"work.interactive", FactType::Bool, false, 0, 0, {}, "its `interactive` is true; not said is no"},
};

/// Of a pool: what describes hardware and software, not how many there are.
bool is_shared(const FactDef& fact) {
  return fact.name.starts_with("accelerator.") || fact.name.starts_with("fabric.") || fact.name.starts_with("runtime.");
}

}  // namespace

SiteFacts facts_of_pools(const std::vector<const NodePool*>& pools) {
  SiteFacts out;
  for (const FactDef& fact : pool_facts()) {
    if (!is_shared(fact) || pools.empty()) continue;
    const Located<FactValue>& first = pools.front()->fact(fact.name);
    const bool same = std::ranges::all_of(pools, [&](const NodePool* pool) {
      return pool->fact(fact.name).known() && pool->fact(fact.name).value == first.value;
    });
    if (same) out[std::string(fact.name)] = text_of(first.value);
  }
  return out;
}

void set_facts_of_pools(const std::vector<const NodePool*>& pools, SiteFacts& facts) {
  if (pools.empty()) return;
  for (const FactDef& fact : pool_facts()) {
    if (is_shared(fact)) facts.erase(std::string(fact.name));
  }
  facts.merge(facts_of_pools(pools));
}

std::span<const FactDef> site_facts() {
  static const std::vector<FactDef> all = [] {
    std::vector<FactDef> out(fleet_facts().begin(), fleet_facts().end());
    for (const Derived& derived : kDerived) out.push_back(derived.def);
    out.insert(out.end(), kAsked.begin(), kAsked.end());
    out.insert(out.end(), kGathered.begin(), kGathered.end());
    std::ranges::copy_if(pool_facts(), std::back_inserter(out), is_shared);
    std::ranges::sort(out, {}, &FactDef::name);
    return out;
  }();
  return all;
}

bool is_asked(std::string_view name) { return std::ranges::find(kAsked, name, &FactDef::name) != kAsked.end(); }

std::optional<std::int64_t> gpu_count(const Fleet& fleet) {
  std::int64_t total = 0;
  for (const NodePool& pool : fleet.node_pools) {
    const std::optional<std::int64_t> each = whole_of(pool.fact("gpus_per_node"));
    std::int64_t of_pool = 0;
    if (!each || __builtin_mul_overflow(pool.node_count, *each, &of_pool)) return std::nullopt;
    if (__builtin_add_overflow(total, of_pool, &total)) return std::nullopt;
  }
  return fleet.node_pools.empty() ? std::nullopt : std::optional(total);
}

std::optional<TwoPlaneCost> two_plane_cost(const Fleet& fleet) {
  const std::optional<std::int64_t> count = gpu_count(fleet);
  const std::optional<double> share = number(fleet, "economics.stranded_share");
  const std::optional<double> hour = number(fleet, "economics.gpu_hour_usd");
  const std::optional<double> engineers = number(fleet, "economics.two_plane_engineers");
  const std::optional<double> salary = number(fleet, "economics.engineer_usd_per_year");
  if (!count || !share || !hour || !engineers || !salary) return std::nullopt;
  return TwoPlaneCost{*share * static_cast<double>(*count) * *hour * kHoursPerYear, *engineers * *salary};
}

std::optional<PlatformCost> platform_cost(const Fleet& fleet) {
  const std::optional<std::int64_t> count = gpu_count(fleet);
  const std::optional<double> licence = number(fleet, "economics.licence_usd_per_gpu_year");
  const std::optional<double> gain = number(fleet, "economics.bought_goodput_gain");
  const std::optional<double> hour = number(fleet, "economics.gpu_hour_usd");
  const std::optional<double> salary = number(fleet, "economics.engineer_usd_per_year");
  const std::optional<double> engineers = number(fleet, "requirements.platform_engineers");
  if (!count || !licence || !gain || !hour || !salary || !engineers) return std::nullopt;
  const double fleet_gpus = static_cast<double>(*count);
  const double others = number(fleet, "economics.bought_platform_engineers").value_or(0);
  return PlatformCost{*engineers * *salary + *gain * fleet_gpus * *hour * kHoursPerYear,
                      *licence * fleet_gpus + others * *salary};
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
  std::vector<const NodePool*> pools;
  for (const NodePool& pool : fleet.node_pools) pools.push_back(&pool);
  out.merge(facts_of_pools(pools));
  return out;
}

}  // namespace muster
