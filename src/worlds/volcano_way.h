#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// What the configuration of Volcano's scheduler makes of its gangs. Source: docs/gangs.md.
struct VolcanoWay {
  bool configured = false;        ///< a ConfigMap of the bundle says it; else Volcano as shipped
  bool places_gangs = true;       ///< the plugin `gang` holds a PodGroup back until minMember pods have a place
  bool keeps_topology = false;    ///< the plugin `network-topology-aware` is on
  std::string takes_pods;         ///< why single pods of a running gang may be evicted; empty: none is
  std::vector<WorldSource> says;  ///< the places that decide it
};

/// For gangs of the bundle. Nothing where several configurations do not agree, or Volcano would refuse it: `needs` says
/// what would decide it.
std::optional<VolcanoWay> volcano_way(const Model& model, const std::string& bundle, std::string& needs);

}  // namespace muster
