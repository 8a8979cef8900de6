#pragma once

#include <optional>
#include <string_view>

#include "model/removed_object.h"
#include "source/span.h"

namespace muster {

/// An object whose API version some release of Kubernetes took away, without a name; its id ends where that begins.
std::optional<RemovedObject> removed_object(std::string_view api_version, std::string_view kind, const Span& where);

}  // namespace muster
