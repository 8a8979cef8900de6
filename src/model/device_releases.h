#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/version.h"

namespace muster {

/// A feature gate of Kubernetes that guards fields of resource.k8s.io, by the releases that changed its stage; empty
/// where none up to 1.37 did.
struct DeviceGate {
  std::string_view name;
  std::string_view alpha;
  std::string_view beta;
  std::string_view on;      ///< from which release on it is on unless somebody turns it off
  std::string_view stable;  ///< general availability

  /// The first that knows it.
  std::string_view first() const { return alpha.empty() ? beta : alpha; }
};

/// Sorted by name.
std::span<const DeviceGate> device_gates();
/// Ends the program at a name that has no row.
const DeviceGate& device_gate(std::string_view name);

/// Kinds of an API version, by the releases of Kubernetes that changed what becomes of them.
struct DeviceApi {
  std::string_view api_version;
  std::string_view kinds;  ///< blank-separated
  std::string_view since;
  std::string_view deprecated;  ///< empty: in none that is planned
  std::string_view gone;        ///< the first without it; of 1.38 and later as they are planned
};

/// resource.k8s.io, and what gangs need of scheduling.k8s.io.
std::span<const DeviceApi> device_apis();
/// nullptr for a kind that the API version never had.
const DeviceApi* find_device_api(std::string_view api_version, std::string_view kind);

/// A scheduler and the releases that read claims of resource.k8s.io/v1; what a release before it reads is not served
/// by default.
struct DeviceScheduler {
  std::string_view name;
  std::string_view target;            ///< whose release decides
  std::string_view since;             ///< empty: none does
  std::string_view why_not;           ///< where none does
  std::string_view later_kubernetes;  ///< from this release of Kubernetes on ...
  std::string_view later_since;       ///< ... it takes this one of its own
};
std::span<const DeviceScheduler> device_schedulers();

}  // namespace muster
