#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "facts/object_type.h"
#include "model/fact_value.h"

namespace muster {

/// Facts that decision tables may read beside those of the workload: the rows of fleet_facts(), the facts that all
/// pools share, and what follows from planes, pools and tenants together. Sorted by name.
std::span<const FactDef> site_facts();

/// Of them: those that no file has because the program fills them in when it asks a table (`choice`, `work.slurm` ...).
bool is_asked(std::string_view name);

/// GPUs of all pools; nothing while one of them does not say, or without pools.
std::optional<std::int64_t> gpu_count(const Fleet& fleet);

inline constexpr double kHoursPerYear = 8760;

/// What two planes cost a year, in US dollars.
struct TwoPlaneCost {
  double stranded_usd = 0;   ///< GPUs that idle at the border while the other plane queues
  double engineers_usd = 0;  ///< who run the second plane
};
/// Nothing while the fleet file leaves out part of what it takes.
std::optional<TwoPlaneCost> two_plane_cost(const Fleet& fleet);

/// What a platform costs a year, in US dollars, assembled by the fleet's own engineers and bought.
struct PlatformCost {
  double own_usd = 0;     ///< engineers, and the goodput that the bought one would have more
  double bought_usd = 0;  ///< licences, and the engineers whom it takes all the same: none where the file does not say
};
/// Nothing while the fleet file leaves out part of what it takes.
std::optional<PlatformCost> platform_cost(const Fleet& fleet);

/// Values by name, as text.
using SiteFacts = std::map<std::string, std::string, std::less<>>;

/// What the model's fleet says of them. Without a fleet, or with several, nothing is known.
SiteFacts read_site_facts(const Model& model);

/// What describes hardware and software of nodes, as far as all of the pools say the same.
SiteFacts facts_of_pools(const std::vector<const NodePool*>& pools);
/// Puts them in place of what `facts` has of all pools. Without pools nothing changes.
void set_facts_of_pools(const std::vector<const NodePool*>& pools, SiteFacts& facts);

/// What a decision rests on besides the workload.
struct Site {
  Targets targets;
  SiteFacts facts;
};

}  // namespace muster
