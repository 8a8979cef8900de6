#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "facts/object_type.h"
#include "model/fact.h"

namespace muster {

/// Facts that decision tables may read beside those of the workload: the rows of fleet_facts(), the facts that all
/// pools share, and what follows from planes, pools and tenants together. Sorted by name.
std::span<const FactDef> site_facts();

/// Of them: those that no file has because the program fills them in when it asks a table (`choice`, `work.slurm` ...).
bool is_asked(std::string_view name);

/// What two planes cost a year, in US dollars.
struct TwoPlaneCost {
  double stranded_usd = 0;   ///< GPUs that idle at the border while the other plane queues
  double engineers_usd = 0;  ///< who run the second plane
};
/// Nothing while the fleet file leaves out part of what it takes.
std::optional<TwoPlaneCost> two_plane_cost(const Fleet& fleet);

/// Values by name, as text.
using SiteFacts = std::map<std::string, std::string, std::less<>>;

/// What the model's fleet says of them. Without a fleet, or with several, nothing is known.
SiteFacts read_site_facts(const Model& model);

/// What a decision rests on besides the workload.
struct Site {
  Targets targets;
  SiteFacts facts;
};

}  // namespace muster
