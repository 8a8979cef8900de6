#include "facts/platform_facts.h"

#include <algorithm>

#include "model/device_platforms.h"

namespace muster {

void add_platform_facts(const Model& model, Site& site) {
  constexpr const char* kLacks = "kubernetes.platform_lacks_claims";
  const std::optional<PlatformSeen> platform = platform_of(model);
  if (!platform) {
    site.facts.try_emplace(kLacks, "false");
    return;
  }
  const auto release = site.targets.find("kubernetes");
  const DevicePlatform* row = platform_row(platform->id, release == site.targets.end() ? nullptr : &release->second);
  if (row == nullptr) {
    // By its release: unknown while that is.
    const bool depends = std::ranges::any_of(device_platforms(), [&](const DevicePlatform& one) {
      return one.id == platform->id && one.has == PlatformGate::None;
    });
    if (release != site.targets.end() || !depends) site.facts.try_emplace(kLacks, "false");
    return;
  }
  site.facts.try_emplace(kLacks, row->has == PlatformGate::None ? "true" : "false");
  if (row->has == PlatformGate::On || row->has == PlatformGate::Off)
    site.facts.try_emplace("kubernetes.dynamic_resource_allocation", row->has == PlatformGate::On ? "true" : "false");
}

}  // namespace muster
