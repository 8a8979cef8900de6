#pragma once

#include <optional>
#include <string>

#include "base/version.h"
#include "model/object.h"

namespace muster {

/// An object of an API version that Kubernetes serves no more, or that a release in use does not serve yet.
struct RemovedObject : Object {
  std::string api_version;       ///< policy/v1beta1
  std::optional<Version> since;  ///< first Kubernetes release with it; of the APIs of src/model/device_releases.h
  std::optional<Version> gone;   ///< first Kubernetes release without it
  bool kind_remains = false;     ///< some other API version still has its kind
};

}  // namespace muster
