#pragma once

#include <map>
#include <span>
#include <string>

#include "facts/object_type.h"
#include "model/fact.h"

namespace muster {

/// Facts that decision tables may read beside those of the workload: the rows of fleet_facts(), the facts that all pools
/// share, and what follows from planes, pools and tenants together. Sorted by name.
std::span<const FactDef> site_facts();

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
