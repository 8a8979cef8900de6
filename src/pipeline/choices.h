#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "pipeline/check.h"
#include "pipeline/finding_keys.h"

namespace muster {

/// A decision of the tables, or a setting of the input that goes with one.
struct ChoiceName {
  std::string subject;  ///< a workload, a gang, a site
  std::string choice;   ///< control-plane
  std::string setting;  ///< TopologyPlugin; empty: the decision
  auto operator<=>(const ChoiceName&) const = default;
};

struct ChoiceValue {
  std::string value;
  Reversibility reversibility = Reversibility::Reversible;
  std::string because;
  std::string undo;     ///< what it takes to leave it, "months: manifests carry its names"
  bool decided = true;  ///< false: it could still be something else
};

/// What the tables decide, of each workload and of the fleet where there is more than one.
std::map<ChoiceName, ChoiceValue> decisions_of(const Workspace& w);

/// Which scheduler places each gang, which plane each pool belongs to, which topology model each site and fleet has;
/// how GPUs are handed out and shared; what serves and scales a service, and what makes nodes.
std::map<ChoiceName, ChoiceValue> settings_of_choices(const Workspace& w, const PlaceName& name);

/// Names of nodes, switches, blocks, domains and HyperNodes, by where they are and what they are.
using NamesByPlace = std::map<std::pair<std::string, std::string>, std::set<std::string>>;
NamesByPlace topology_names(const Model& model, const PlaceName& name);

}  // namespace muster
