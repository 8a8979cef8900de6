#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/manifest.h"

namespace muster {

/// A device of a node as a ResourceSlice has it; views point into the slice.
struct PublishedDevice {
  std::string_view node;
  std::string_view driver;
  std::string_view name;
  bool shared = false;  ///< several claims may have it: allowMultipleAllocations
  std::map<std::pair<std::string_view, std::string_view>, const WrittenValue*> attributes;  ///< by domain and name
  std::map<std::pair<std::string_view, std::string_view>, const WrittenValue*> capacities;

  /// Of `domain/name`; nullptr where it does not have it.
  const WrittenValue* attribute(std::string_view full_name) const;
};

/// What the ResourceSlices of one bundle say is there.
struct PublishedDevices {
  std::vector<PublishedDevice> devices;  ///< of pools that are whole, in their newest generation
  std::set<std::string_view> open;       ///< drivers with devices that are not all known, or not of one node each
  Span first;                            ///< the first slice
};

/// By bundle. Slices that no API server wrote are of no cluster, and count as none.
std::map<std::string, PublishedDevices> published_devices(const std::vector<const Manifest*>& slices);

/// What a selector says to each device.
enum class DeviceVerdict : unsigned char { No, Yes, Open };

/// Selectors over the devices of one bundle; each expression is looked at once. Bounded: beyond that all is open.
class DeviceSelection {
 public:
  explicit DeviceSelection(const PublishedDevices& all) : all_(all) {}

  /// One entry a device. Open where the expression is none, or its evaluation ends with an error.
  const std::vector<DeviceVerdict>& by(std::string_view expression);

 private:
  const PublishedDevices& all_;
  std::map<std::string, std::vector<DeviceVerdict>, std::less<>> known_;
  std::uint64_t looks_ = 0;
};

}  // namespace muster
