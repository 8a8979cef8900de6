#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/admission_policy.h"

namespace muster {

/// `jobs` of `Job`: what a kind is called in addresses.
std::string resource_name(std::string_view kind);

/// Adds a kind to those of its group.
void add_resource(std::string_view group, std::string_view kind, std::vector<AdmittedResources>& out);

/// Kinds whose objects hold pod templates, as an API server finds them.
struct PodKinds {
  std::vector<AdmittedResources> resources;
  std::string templates;  ///< the templates of an object `o`, a list
};
PodKinds pod_kinds(const std::vector<const KindFile*>& kinds);

/// Whether a template `p` asks for accelerators or ResourceClaims: what the collection `pods` consists of.
std::string asks_for_devices();
/// Whether it does not, and tolerates the taint of nodes with devices: `device_guests`.
std::string is_device_guest();

}  // namespace muster
