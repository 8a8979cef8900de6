#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/published_devices.h"

namespace muster {

/// What a request of a claim wants of one node; the least of its alternatives.
struct DeviceWant {
  std::string name;
  std::int64_t count = 1;
  std::vector<DeviceVerdict> fits;  ///< one an entry of PublishedDevices::devices
  Span where;
};

/// matchAttribute, or distinctAttribute.
struct DeviceConstraint {
  std::string attribute;
  bool distinct = false;
  std::vector<bool> of;  ///< one a want: whether it is for it
  Span where;
};

struct ClaimedDevices {
  std::vector<DeviceWant> wants;
  std::vector<DeviceConstraint> constraints;
};

/// Whether devices of one node can be given to all of it. What is said is certain: devices that others hold, taints,
/// counters and capacities are passed over.
struct DeviceFit {
  DeviceVerdict fits = DeviceVerdict::Yes;
  std::string why;  ///< where it does not, and what is missing where it is open
  Span where;
};

/// `nodes` are those that may be taken; empty: all.
DeviceFit fit_devices(const ClaimedDevices& ask, const PublishedDevices& all, const std::set<std::string_view>& nodes);

}  // namespace muster
