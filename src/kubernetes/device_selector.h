#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What a selector of devices reads of one: `device.attributes["gpu.nvidia.com"].type`.
struct DeviceRead {
  bool capacity = false;  ///< device.capacity; else device.attributes
  std::string domain;
  std::string name;
  bool guarded = false;  ///< somewhere the expression asks whether it is there

  bool operator==(const DeviceRead&) const = default;
};

/// A selector, as far as it can be told without a device.
struct DeviceSelector {
  std::string refused;             ///< why the API server does not take it; empty: nothing is seen
  std::string fails;               ///< why an evaluation of it ends with an error; empty: nothing is seen
  std::vector<DeviceRead> reads;   ///< with literal domains and names, each once
  std::vector<std::string> above;  ///< amounts of `isGreaterThan(quantity("40Gi"))` of a capacity
};

/// Reads a CEL expression over `device`. Nothing where somebody fills in parts of it later. Source:
/// kubernetes/kubernetes:staging/src/k8s.io/dynamic-resource-allocation/cel/compile.go (1.37).
std::optional<DeviceSelector> read_device_selector(std::string_view text);

/// How sure a driver is to publish something.
enum class Published : unsigned char {
  Always,     ///< for each device of the class
  Sometimes,  ///< where the hardware or a feature gate has it
  Elsewhere,  ///< for devices of another class alone, or by older releases alone
  Never,
};

struct PublishedAs {
  Published how = Published::Never;
  std::string hint;      ///< what to write or know instead; may be empty
  bool version = false;  ///< its value is a version
};

/// What the driver with that name as domain publishes for devices of a class; nothing for domains whose attributes are
/// not known. An empty class is any.
std::optional<PublishedAs> published(bool capacity, std::string_view domain, std::string_view name,
                                     std::string_view device_class);

}  // namespace muster
