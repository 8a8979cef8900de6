#pragma once

#include <string>

#include "base/version.h"
#include "model/object.h"

namespace muster {

/// An object of an API version that Kubernetes serves no more.
struct RemovedObject : Object {
  std::string api_version;    ///< policy/v1beta1
  Version gone;               ///< first Kubernetes release without it
  bool kind_remains = false;  ///< some other API version still has its kind
};

}  // namespace muster
