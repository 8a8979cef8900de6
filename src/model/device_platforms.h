#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/version.h"
#include "model/model.h"

namespace muster {

/// AsShipped: as in the Kubernetes of that release. On, Off: whatever that says. None: it cannot be turned on, either.
enum class PlatformGate { AsShipped, On, Off, None };

/// What a platform makes of a feature gate of Kubernetes that claims need.
struct DevicePlatform {
  std::string_view id;  ///< as `platform` of a control plane says it
  std::string_view name;
  std::string_view gate;
  std::string_view from;   ///< release of Kubernetes; empty: all up to `until`
  std::string_view until;  ///< the first release that it is not said of; empty: none
  PlatformGate has;
  std::string_view says;
  std::string_view source;
  std::string_view read;  ///< of its source, or when it was read: year and month
  bool dated;             ///< else it may have changed, and is to be looked up again
};

/// Sorted by id, gate and release.
std::span<const DevicePlatform> device_platforms();
/// Each once, sorted.
std::span<const std::string_view> platform_ids();
/// nullptr where nothing is said of that release.
const DevicePlatform* platform_row(std::string_view id, std::string_view gate, const Version& release);
/// The same of DynamicResourceAllocation where it does not depend on the release, or that is known.
const DevicePlatform* platform_row(std::string_view id, const Version* release);
/// The first release in which the platform hands out devices by claims without being told; empty: in none that is
/// known. Nothing for a platform that has them as Kubernetes has.
std::optional<std::string_view> platform_claims_from(std::string_view id);

/// A platform that the input says or shows.
struct PlatformSeen {
  std::string_view id;
  Span where;
  bool stated = false;  ///< by a fleet file, else its nodes or what makes its control plane show it
};

/// By the fleet file, where the input has one and no more.
std::optional<PlatformSeen> stated_platform(const Model& model);
/// The same, else what other files show. Nothing where nobody says, or files disagree.
std::optional<PlatformSeen> platform_of(const Model& model);
/// The platform of nodes with such a label; empty for one that tells nothing.
std::string_view platform_of_label(std::string_view key, std::string_view value);

/// The one platform of nodes that show these; empty where they show none or several.
std::string_view common_platform(const std::set<std::string_view>& ids);

/// What hands devices to containers by CDI, by its own release.
struct DeviceRuntime {
  std::string_view name;
  std::string_view able;      ///< the first that can
  std::string_view on;        ///< the first that does without being told
  std::string_view key;       ///< what has to be set before
  std::string_view key_gone;  ///< the first that does not know the key any more; empty: none
};
std::span<const DeviceRuntime> device_runtimes();
const DeviceRuntime* find_device_runtime(std::string_view name);

enum class ClaimScaling { None, Told, On };

/// Whether what makes nodes makes them for pods with claims, by its own release.
struct DeviceAutoscaler {
  std::string_view name;  ///< as `autoscaling.by` of a node pool says it
  std::string_view from;
  std::string_view until;
  ClaimScaling has;
  std::string_view setting;  ///< a flag or value: what has to be told it
  std::string_view says;
  std::string_view source;
};
/// Sorted by name and release.
std::span<const DeviceAutoscaler> device_autoscalers();
/// nullptr where its release, where one is needed, is not known or before all that is said.
const DeviceAutoscaler* autoscaler_row(std::string_view name, const Version* release);

}  // namespace muster
