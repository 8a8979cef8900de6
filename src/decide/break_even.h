#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "facts/site_facts.h"
#include "model/model.h"

namespace muster {

/// The values of choices by their names with other facts; without those that are open.
using AskAgain = std::function<std::map<std::string, std::string>(const Site& site)>;

/// `work.slurm_share` of a site.
std::optional<double> slurm_share_of(const Site& site);

/// Looks for the nearest value of each number of the fleet file, and of the share of Slurm, with which a choice is
/// another; what follows from the number is derived anew. `site` is what the choices were made with. Nothing without a
/// fleet file, or with several.
std::vector<BreakEven> find_break_evens(const Model& model, const Site& site, const AskAgain& ask);

}  // namespace muster
